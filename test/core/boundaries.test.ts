import type { ToolOutcome } from '../../src/contract.ts';
import { started } from './drive.ts';

const outside = (target: string): ToolOutcome => ({
  status: 'refused',
  class: 'soft_boundary',
  text: 'Error: path outside working dir',
  violation: { class: 'soft_boundary', target },
});
const plain = 'tool look-0: Error: path outside working dir';

test('two violations of a target are plain; from the third on the text names target and count', () => {
  const d = started();
  expect([
    d.round('look', outside('/etc')).lines.at(-1),
    d.round('look', outside('/etc')).lines.at(-1),
  ]).toEqual([plain, plain]);
  expect(d.round('read', outside('/etc')).lines.at(-1)).toMatch(
    /\/etc was refused 3 times now\. .* ask the user/s,
  );
  expect(d.round('stat', outside('/etc')).lines.at(-1)).toMatch(/\/etc was refused 4 times now/);
});

test('the target counts across tools, letter case and outer white space', () => {
  const d = started().round('look', outside('/Etc')).round('read', outside(' /etc '));
  expect(d.round('stat', outside('/ETC')).lines.at(-1)).toContain('/ETC was refused 3 times now');
});

test('other targets count apart', () => {
  const d = started().round('look', outside('/a')).round('look', outside('/b')).round('see', outside('/c'));
  expect(d.lines.at(-1)).not.toContain('times now');
});

test('violations count in call order within a round, whatever the order they ended in', () => {
  const d = started().replies({ calls: ['a', 'b', 'c'] });
  d.settles(2, outside('/etc')).settles(1, outside('/etc')).settles(0, outside('/etc'));
  expect(d.lines.slice(2).map((line) => line.includes('3 times'))).toEqual([false, false, true]);
});

test('violations count through the whole run', () => {
  const limits = { maxInjectionCycles: 0 };
  const d = started(limits).round('look', outside('/etc')).round('look', outside('/etc'));
  d.message('m1').replies('done').opens(limits);
  expect(d.round('look', outside('/etc')).lines.at(-1)).toContain('3 times now');
});

test('the escalation stands in the reference to the result too', () => {
  const d = started().round('a', outside('/etc')).round('b', outside('/etc')).round('c', outside('/etc'));
  expect(d.run.transcript.at(-1)?.result?.note).toContain('3 times now');
});

test('a hard boundary does not escalate, and the turn goes on', () => {
  const hard = {
    ...outside('http://10.0.0.1'),
    class: 'hard_boundary' as const,
    violation: { class: 'hard_boundary' as const, target: 'http://10.0.0.1' },
  };
  const d = started().round('a', hard).round('b', hard).round('c', hard);
  expect([d.next, d.lines.at(-1)]).toEqual(['reply', 'tool c-0: Error: path outside working dir']);
});

test('a target called like a property of every object counts like any other', () => {
  const d = started().round('a', outside('__proto__')).round('b', outside('__proto__'));
  expect(d.round('c', outside('__proto__')).lines.at(-1)).toContain('3 times now');
});
