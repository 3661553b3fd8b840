import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Outcome of a program that may fail. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runProgram(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  cwd: string = root,
): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
    return { code: 0, stdout, stderr };
  } catch (thrown) {
    const { code, stdout = '', stderr = '' } = thrown as Partial<Ran> & { code?: number | string };
    if (typeof code !== 'number') throw thrown;
    return { code, stdout, stderr };
  }
}

/** Names and values of the lines `NAME=value` of an environment file. */
export const variablesIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

/** Everything that a pattern's first group finds in the code of `src`. */
export async function foundInTheCode(pattern: RegExp): Promise<Set<string>> {
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter((path) =>
    path.endsWith('.ts'),
  );
  const texts = await Promise.all(files.map((file) => textOf(join('src', file))));
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found!)));
}

/** Names of the variables that the code reads from the environment by itself. */
export const variablesReadByTheCode = (): Promise<Set<string>> =>
  foundInTheCode(/\benv(?:\.|\??\.?\[['"])([A-Z][A-Z0-9_]*)\b/g);
