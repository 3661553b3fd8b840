import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirementsFile = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const folder = fileURLToPath(new URL('../../.turnloop/venv', import.meta.url));

/** A Python with the packages of `requirements.txt`, in a virtual environment that is made once. */
export async function pythonWithTemporal(): Promise<string> {
  const python = join(folder, 'bin', 'python');
  const done = join(folder, 'installed-requirements.txt');
  const requirements = await readFile(requirementsFile, 'utf8');
  if ((await readFile(done, 'utf8').catch(() => 'none yet')) === requirements) return python;
  await mkdir(folder, { recursive: true });
  const base = process.env['PYTHON'] ?? 'python3';
  try {
    await run(base, ['-m', 'venv', '--clear', folder]);
  } catch (error) {
    throw new Error(
      `${base} can't make a virtual environment: install Python 3.10 or newer with its venv module ` +
        `(Debian: python3-venv), or set PYTHON to one. ${String(error)}`,
    );
  }
  await run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    requirementsFile,
  ]);
  await writeFile(done, requirements);
  return python;
}
