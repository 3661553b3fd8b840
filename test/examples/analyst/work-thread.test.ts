import { WorkThread } from '../../../examples/analyst/work-thread.ts';
import { failureOf } from './tool-context.ts';

const script = new URL('./sample-thread.mjs', import.meta.url);
let thread: WorkThread;
beforeEach(() => {
  thread = new WorkThread(script, { greeting: 'hello' });
});
afterEach(() => thread.close());

const ask = (body: unknown, signal?: AbortSignal, timeoutMs = 30_000): Promise<unknown> =>
  thread.request(body, { timeoutMs, ...(signal ? { signal } : {}) });

test('answers with what it was started with', async () => {
  expect(await ask('greet')).toBe('hello');
});

test('takes one request at a time, in their order', async () => {
  expect(await Promise.all([ask('count'), ask('count'), ask('count')])).toEqual([1, 2, 3]);
});

test('an error it reports keeps its fields, and the thread its state', async () => {
  await ask('count');
  expect(await failureOf(ask('fail'))).toMatchObject({ message: 'no', code: '42P01', hint: 'try' });
  expect(await ask('count')).toBe(2);
});

test('a request that spins is ended when its time is up, and the next one gets a new thread', async () => {
  await ask('count');
  expect(await failureOf(ask('spin', undefined, 50))).toMatchObject({
    name: 'ThreadError',
    reason: 'timeout',
  });
  expect(await ask('count')).toBe(1);
});

test('a cancelled request ends the thread that spins', async () => {
  const cancel = new AbortController();
  const call = ask('spin', cancel.signal);
  cancel.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(await ask('greet')).toBe('hello');
});

test('a request that waits behind another hears of its cancellation at once', async () => {
  const first = ask('spin', undefined, 3_000);
  const cancel = new AbortController();
  const second = ask('greet', cancel.signal);
  cancel.abort(new Error('enough'));
  const ended = await Promise.race([first.catch(() => 'first'), second.catch(() => 'second')]);
  expect(ended).toBe('second');
  await first.catch(() => undefined);
});

test('a thread that dies is told of and replaced', async () => {
  expect(await failureOf(ask('die'))).toMatchObject({ name: 'ThreadError', reason: 'crashed' });
  expect(await failureOf(ask('throw'))).toMatchObject({ reason: 'crashed', message: 'out of the blue' });
  expect(await ask('count')).toBe(1);
});

test('a thread that says it is broken is replaced', async () => {
  await ask('count');
  expect(await failureOf(ask('break'))).toMatchObject({ name: 'ThreadError', reason: 'crashed' });
  expect(await ask('count')).toBe(1);
});

test('a closed thread takes nothing more', async () => {
  await thread.close();
  expect(await failureOf(ask('greet'))).toMatchObject({ reason: 'crashed', message: 'the thread is closed' });
});
