import { delimiter, join } from 'node:path';
import { cliFileName, isExecutable } from './cache-folder.ts';
import { ServerError } from './server-error.ts';

/**
 * The Temporal CLI that is on the machine: the file `TEMPORAL_CLI_PATH` names, else `temporal` on PATH. Undefined when
 * there is none. A `TEMPORAL_CLI_PATH` that leads nowhere is an error: whoever set it does not want another one.
 */
export async function fromPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['TEMPORAL_CLI_PATH'];
  if (named !== undefined && named !== '') {
    if (await isExecutable(named)) return named;
    throw new ServerError(
      `TEMPORAL_CLI_PATH is "${named}", which is no executable file. Set it to the Temporal CLI, or unset it.`,
    );
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, cliFileName);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}
