import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../src/cli/turnloop.ts', import.meta.url));

/** `turnloop` in a process of its own, without a configured model or server. */
export function turnloop(
  args: string[],
  { env, cwd, input }: { env?: NodeJS.ProcessEnv; cwd: string; input?: string },
) {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, TEMPORAL_ADDRESS: _address, ...own } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...own, TEMPORAL_CONFIG_FILE: '/nonexistent', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves when the output so far matches; rejects when the process ends before. */
    saying: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const look = () => pattern.test(out) && resolve();
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`ended without saying ${pattern}: ${out}${err}`)));
        look();
      }),
    ended: once(child, 'close').then(([status]) => ({ status: status as number | null, out, err })),
  };
}
