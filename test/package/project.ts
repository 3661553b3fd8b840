import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Ran {
  status: number | null;
  out: string;
  err: string;
}

/** A project of somebody who installed the packed tarball, and nothing of this repository. */
export interface Project {
  folder: string;
  /** The packed tarball. */
  tarball: string;
  run(command: string, args: string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  remove(): Promise<void>;
}

/** Packs the tarball and installs it, with what a consumer in TypeScript has beside it. */
export async function packedProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'turnloop-package-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await cp(fileURLToPath(new URL('./consumer', import.meta.url)), folder, { recursive: true });
    const { name, version, devDependencies } = await manifestOf(root);
    await succeed(run(root, 'npm', ['pack', '--pack-destination', folder]));
    const tarball = join(folder, `${name}-${version}.tgz`);
    const of = (dependency: string) => devDependencies[dependency]!;
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({
        name: 'consumer',
        private: true,
        type: 'module',
        dependencies: { turnloop: `file:${tarball}`, zod: '^4.0.0' },
        devDependencies: {
          '@copilotkit/aimock': of('@copilotkit/aimock'),
          '@temporalio/testing': of('@temporalio/testing'),
          '@types/node': of('@types/node'),
          typescript: of('typescript'),
        },
      }),
    );
    await succeed(run(folder, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline']));
    return { folder, tarball, remove, run: (command, args, env) => run(folder, command, args, env) };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

interface Manifest {
  name: string;
  version: string;
  devDependencies: Record<string, string>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Runs a program on the Node of the tests, wherever it comes from. */
export async function run(
  cwd: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const path = [join(cwd, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(
    delimiter,
  );
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [status]] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, out: out.join(''), err: err.join('') };
}

async function succeed(running: Promise<Ran>): Promise<void> {
  const { status, out, err } = await running;
  if (status !== 0) throw new Error(`ended with ${status}: ${out}${err}`);
}
