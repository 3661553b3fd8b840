import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../src/server/start-server.ts';
import { suite } from './suite.ts';

/**
 * Once before the tests that need a server (`*.server.test.ts`): one embedded server in memory, or the one whose address
 * TURNLOOP_TEST_SERVER gives, and the workflow bundle. Both are handed to the test processes by environment variables, see
 * `test-server.ts`.
 */
export default async function globalSetup(): Promise<void> {
  const given = process.env['TURNLOOP_TEST_SERVER'];
  if (given === undefined) {
    suite.server = await startServer({
      log: (line) => void process.stderr.write(`${line}\n`),
      dbFile: false,
      useConfigured: false,
    });
  }
  suite.folder = await mkdtemp(join(tmpdir(), 'turnloop-test-'));
  process.env['TURNLOOP_TEST_ADDRESS'] = given ?? suite.server!.address;

  const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));
  if (!existsSync(workflowsPath)) return;
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const bundle = join(suite.folder, 'workflows.js');
  await writeFile(bundle, code);
  process.env['TURNLOOP_TEST_BUNDLE'] = bundle;
}
