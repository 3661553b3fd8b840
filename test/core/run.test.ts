import { argumentsOf, newRun } from '../../src/core/run.ts';
import { Drive, started } from './drive.ts';

const image = { type: 'image_url', image_url: { url: 'data:,' } };

test.each([
  ['a text', 'hello', [{ role: 'user', content: 'hello' }]],
  ['parts', [image], [{ role: 'user', content: [image] }]],
  [
    'an earlier conversation',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
  ],
  [
    'a damaged conversation',
    [{ role: 'user', content: 'a' }, { type: 'text' }],
    [{ role: 'user', content: 'a' }, { type: 'text' }],
  ],
])('%s as input starts the first turn', (_, input, messages) => {
  expect(new Drive(input as never).opens().run.transcript.map((entry) => entry.message)).toEqual(messages);
});

test('a run keeps what its input says', () => {
  const run = newRun(
    {
      version: 1,
      agent: 'a',
      input: 'x',
      model: 'm',
      metadata: { k: 'v' },
      limits: { maxTokens: 5 },
      keepOpenMs: 7,
    },
    1,
    0,
  );
  expect(run).toMatchObject({
    agent: 'a',
    model: 'm',
    metadata: { k: 'v' },
    limitsGiven: { maxTokens: 5 },
    keepOpenMs: 7,
  });
});

test("a call's arguments are the plan's, else those in the message", () => {
  const d = started().replies({
    calls: [
      { name: 'a', arguments: '{"n":1}' },
      { name: 'b', args: { n: 2 } },
    ],
  });
  const { phase } = d.run.turn ?? {};
  if (phase?.at !== 'running') throw new Error('no round is running');
  expect(phase.calls.map((call) => argumentsOf(call, phase.message))).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a run survives JSON at any point', () => {
  const d = started()
    .message('m1')
    .replies({ calls: ['a', 'b'] })
    .settles(1);
  expect(JSON.parse(JSON.stringify(d.run))).toStrictEqual(d.run);
});
