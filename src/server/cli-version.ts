import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The release of the Temporal CLI that turnloop fetches when the machine has none. Tested with this one. */
export const cliVersion = 'v1.5.1';

/** What `temporal --version` says, in one line; rejects when the file is not a Temporal CLI that runs here. */
export async function askVersion(executable: string): Promise<string> {
  const { stdout } = await promisify(execFile)(executable, ['--version'], { timeout: 30_000 });
  const version = stdout.trim().split('\n')[0] ?? '';
  if (!version.startsWith('temporal version')) {
    throw new Error(
      `${executable} --version says "${version.slice(0, 100)}", not a version of the Temporal CLI`,
    );
  }
  return version.replace(/^temporal version\s*/, '');
}
