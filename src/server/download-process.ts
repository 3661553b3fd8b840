/**
 * Run by `from-download.ts` in a process of its own: downloads the Temporal CLI into the folder given as argument. The SDK
 * has no way to only download, so a server is started in memory and ended at once.
 */
import { cliVersion } from './cli-version.ts';
import { reason } from './reason.ts';

try {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'cached-download', downloadDir: process.argv[2] ?? '.', version: cliVersion },
    },
  });
  await environment.teardown();
} catch (thrown) {
  // The same words on several levels of the cause say nothing new.
  const words = new Set(reason(thrown).split(': '));
  process.stderr.write(`${[...words].join(': ')}\n`);
  process.exitCode = 1;
}
