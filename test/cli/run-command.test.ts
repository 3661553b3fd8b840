import { type Command, UsageError } from '../../src/cli/command.ts';
import { runCommand } from '../../src/cli/run-command.ts';

function call(argv: string[], run: Command['run'] = async () => 0, signal = new AbortController().signal) {
  const out: string[] = [];
  const err: string[] = [];
  const commands = ['start', 'tools', 'replay'].map((name) => ({
    name,
    summary: `does ${name}`,
    help: `help of ${name}`,
    run,
  }));
  const terminal = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
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
  expect(await call(['start', '--help'], failing)).toEqual({ code: 0, out: 'help of start', err: '' });
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
