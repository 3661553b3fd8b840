import { type Command, UsageError } from '../../src/cli/command.ts';
import { noPaint } from '../../src/cli/paint.ts';
import { runCommand } from '../../src/cli/run-command.ts';

function call(argv: string[], run: Command['run'] = async () => 0, signal = new AbortController().signal) {
  const out: string[] = [];
  const err: string[] = [];
  const commands = ['start', 'tools', 'replay'].map((name) => ({
    name,
    summary: `does ${name}`,
    about: [`about ${name}`],
    args: [{ name: 'message', help: 'text', optional: true }],
    options: { json: { type: 'boolean' as const, help: 'as JSON' } },
    examples: [[name, 'does it']] as const,
    run,
  }));
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    input: async () => '',
    paint: noPaint,
    env: {},
    signal,
  };
  return runCommand(argv, commands, '1.2.3', terminal).then((code) => ({
    code,
    out: out.join('\n'),
    err: err.join('\n'),
  }));
}

test('an unknown command is refused with exit code 2 and the one it resembles', async () => {
  expect(await call(['repaly'])).toEqual({
    code: 2,
    out: '',
    err: 'turnloop has no command "repaly". Did you mean "replay"? Commands: start, tools, replay.',
  });
});

test('an unknown command that resembles none gets no suggestion', async () => {
  expect((await call(['xyzzy'])).err).not.toContain('Did you mean');
});

test('--help lists the commands; without a command it does so with exit code 2', async () => {
  const help = await call(['--help']);
  expect(help.code).toBe(0);
  for (const line of ['does start', 'does tools', 'does replay']) expect(help.out).toContain(line);
  expect((await call([])).code).toBe(2);
});

test('--version prints the version', async () => {
  expect(await call(['--version'])).toEqual({ code: 0, out: '1.2.3', err: '' });
});

test('--help behind a command prints its help and does not run it', async () => {
  const failing = async () => {
    throw new Error('it ran');
  };
  for (const argv of [
    ['start', '--help'],
    ['start', 'text', '-h'],
    ['help', 'start'],
  ]) {
    const { code, out, err } = await call(argv, failing);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^turnloop start \[message\] \[options\]\n\nabout start\n/);
    expect(out).toMatch(/Options\n  --json +as JSON\n\nExamples\n  turnloop start   # does it\n/);
  }
});

test('what stands behind -- is no option', async () => {
  const seen: object[] = [];
  const run: Command['run'] = async ({ args }) => seen.push(args) - 1;
  expect((await call(['start', '--', '--help'], run)).code).toBe(0);
  expect(seen).toEqual([{ message: '--help' }]);
});

test('an argument too many is named, with the usage and what to do', async () => {
  expect((await call(['start', 'Which', 'region?'])).err).toBe(
    '"region?" is one argument too many: turnloop start [message]. Put the message in quotes.\nSee turnloop start --help.',
  );
});

test('an unknown option is exit code 2', async () => {
  const { code, err } = await call(['start', '--jason']);
  expect(code).toBe(2);
  expect(err).toContain('--jason');
});

test('with --json a failure is one line of JSON on standard error', async () => {
  const failing = async () => {
    throw new TypeError('no server');
  };
  const { code, out, err } = await call(['start', '--json'], failing);
  expect({ code, out, err: JSON.parse(err) as unknown }).toEqual({
    code: 1,
    out: '',
    err: { error: { name: 'TypeError', message: 'no server' } },
  });
});

test("a command's exit code is passed on", async () => {
  expect((await call(['start'], async () => 1)).code).toBe(1);
});

test('a failure is its message and exit code 1', async () => {
  const failing = async () => {
    throw new Error('no server');
  };
  expect(await call(['start'], failing)).toEqual({ code: 1, out: '', err: 'no server' });
});

test('a wrong call is its message, a pointer to the help, and exit code 2', async () => {
  const wrong = async () => {
    throw new UsageError('one question');
  };
  expect(await call(['start'], wrong)).toEqual({
    code: 2,
    out: '',
    err: 'one question\nSee turnloop start --help.',
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a command stopped by %s ends with exit code %d and no error', async (signal, code) => {
  const stop = new AbortController();
  const stopped = async () => {
    stop.abort(Object.assign(new Error('stopped'), { signal }));
    stop.signal.throwIfAborted();
    return 0;
  };
  expect(await call(['start'], stopped, stop.signal)).toEqual({ code, out: '', err: '' });
});
