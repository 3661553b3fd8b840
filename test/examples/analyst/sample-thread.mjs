import { workerData } from 'node:worker_threads';
import { serveRequests } from '../../../examples/analyst/serve-requests.ts';

let count = 0;

const answers = {
  greet: () => workerData.greeting,
  count: () => ++count,
  fail: () => {
    throw Object.assign(new Error('no'), { code: '42P01', hint: 'try' });
  },
  break: () => {
    throw new Error('broken');
  },
  spin: () => {
    for (;;);
  },
  die: () => process.exit(1),
  throw: () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error('out of the blue');
      });
    }),
};

serveRequests(
  async (body) => answers[body](),
  (error) => error.message === 'broken',
);
