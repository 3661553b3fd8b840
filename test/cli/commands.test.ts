import { commands } from '../../src/cli/commands.ts';
import { helpOf, overviewOf } from '../../src/cli/help.ts';
import { noPaint } from '../../src/cli/paint.ts';
import { runCommand } from '../../src/cli/run-command.ts';

async function call(...argv: string[]) {
  const err: string[] = [];
  const code = await runCommand(argv, commands, '1.2.3', {
    out: () => {},
    err: (line) => void err.push(line),
    input: async () => '',
    paint: noPaint,
    env: {},
    signal: new AbortController().signal,
  });
  return { code, err: err[0] };
}

test.each([
  [['run', 'adder', ' '], 'The message is blank. Give text, or - and text on standard input.'],
  [['run', 'adder', '-'], 'The message is blank. Give text, or - and text on standard input.'],
  [['run', 'adder'], '<message> missing: turnloop run <agent> <message>'],
  [
    ['run', 'adder', 'What', 'is', '2?'],
    '"is" is one argument too many: turnloop run <agent> <message>. Put the message in quotes.',
  ],
  [['run', 'adder', 'x', '--limit', 'maxIteration=3'], '--limit: unknown limit "maxIteration".'],
  [['run', 'adder', 'x', '--limit', 'maxIterations=0'], 'Needed: a whole number from 1'],
  [
    ['run', 'adder', 'x', '--limit', 'maxIterations'],
    '--limit is "maxIterations". Give it as <name>=<value>.',
  ],
  [['run', 'adder', 'x', '--keep-open', 'long'], '--keep-open is "long". Give a duration such as 90s'],
  [['ask', 'id', 'x', '--timeout', ''], '--timeout is "". Give a duration such as 90s'],
  [['watch', 'id', '--from', 'start'], '--from is "start". Give a whole number.'],
  [['ls', '--status', 'runing'], '--status is "runing". Possible: running, completed'],
  [['completion', 'powershell'], '<shell> is "powershell". Possible: bash, zsh, fish.'],
])('%j is a wrong call, and says what is right', async (argv, why) => {
  expect(await call(...argv)).toEqual({ code: 2, err: expect.stringContaining(why) });
});

test('the overview lists every command', () => {
  for (const { name, summary } of commands) {
    expect(overviewOf(commands)).toMatch(new RegExp(`^  turnloop ${name} +\\S`, 'm'));
    expect(summary).not.toMatch(/\.$/);
  }
});

test.each(commands.map((command) => [command.name, command] as const))(
  'the help of %s has its arguments, its options, --json among them, examples and exit codes',
  (name, command) => {
    const help = helpOf(command);
    for (const option of Object.keys(command.options))
      expect(help).toMatch(new RegExp(`^  --${option}\\b`, 'm'));
    for (const arg of command.args) expect(help).toMatch(new RegExp(`^  <${arg.name}>`, 'm'));
    expect(Object.keys(command.options)).toContain('json');
    expect(command.examples.length).toBeGreaterThan(0);
    expect(help).toContain(`Examples\n  turnloop ${command.examples[0]![0]}`);
    expect(help).toMatch(/Exit code 0: .*\. 1: .*\.\n +2: wrong call/);
    expect(help.startsWith(`turnloop ${name}`)).toBe(true);
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(125);
  },
);
