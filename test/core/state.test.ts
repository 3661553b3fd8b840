import { stateOf } from '../../src/core/state.ts';
import { Drive, started } from './drive.ts';

test('a request shows as asking, with turn, iteration and purpose', () => {
  const d = started({ maxIterations: 1 }).message('m1').round();
  expect(stateOf(d.run)).toMatchObject({
    phase: 'asking',
    turn: 1,
    iteration: 1,
    purpose: 'finalize-cap',
    waitingMessages: 1,
    messages: 3,
    events: d.run.log.length,
  });
});

test('a round shows each call and how far it is', () => {
  const d = started()
    .replies({ calls: ['a', 'b', 'c'] })
    .settles(2)
    .on({ kind: 'call-started', index: 0 });
  expect(stateOf(d.run).calls?.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'a running',
    'b waiting',
    'c ok',
  ]);
});

test('between turns it is idle and shows how the last one ended', () => {
  expect(stateOf(started().replies('done').run)).toMatchObject({
    phase: 'idle',
    ended: { stopReason: 'completed', text: 'done' },
  });
  expect(stateOf(new Drive('').run)).toMatchObject({ phase: 'idle', turn: 0, iteration: 0, messages: 0 });
});
