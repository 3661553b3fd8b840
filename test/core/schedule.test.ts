import { dependencies } from '../../src/core/schedule.ts';
import { started } from './drive.ts';

const safe = { hash: 'h', safe: true };
const unsafe = { hash: 'h' };
const answered = { hash: 'h', answer: { status: 'refused' as const, text: 'no' } };
const writes = (...names: string[]) => ({ hash: 'h', writes: names });
const reads = (...names: string[]) => ({ hash: 'h', reads: names });

test.each([
  ['safe calls overlap', [safe, safe, safe], [[], [], []]],
  ['an unsafe call is alone', [safe, unsafe, safe], [[], [0], [1]]],
  ['unsafe calls run one after the other', [unsafe, unsafe], [[], [0]]],
  ['an unsafe call waits for all before it', [safe, safe, unsafe], [[], [], [0, 1]]],
  ['a refused call between two safe ones does not part them', [safe, answered, safe], [[], [], []]],
  ['a refused unsafe call keeps nobody waiting', [answered, unsafe], [[], []]],
  ['writers of one resource run in order', [writes('a'), writes('a')], [[], [0]]],
  ['readers of one resource overlap', [reads('a'), reads('a')], [[], []]],
  ['a writer waits for the readers before it', [reads('a'), reads('b'), writes('a')], [[], [], [0]]],
  ['a reader waits for the writer before it', [writes('a'), reads('a', 'b')], [[], [0]]],
  ['calls with other resources overlap', [writes('a'), writes('b')], [[], []]],
  [
    'a call without resources that is not safe is a barrier',
    [writes('a'), unsafe, writes('b')],
    [[], [0], [1]],
  ],
])('%s', (_, calls, expected) => {
  expect(dependencies(calls)).toEqual(expected);
});

test('an unsafe call that a cap has refused does not part the safe ones around it', () => {
  const d = started({ repeatRefuseAt: 2 }).round({ name: 'write', safe: false });
  d.replies({ calls: ['a', { name: 'write', safe: false }, 'b'] });
  expect(d.step).toMatchObject({ kind: 'run-calls', waitsFor: [[], [], []] });
});
