import startSuite from '../setup/start-suite.ts';
import { startOtherServer } from './other-server.ts';
import { running } from './running.ts';

export default async function globalSetup(): Promise<void> {
  running.server = await startOtherServer((line) => void process.stderr.write(`${line}\n`));
  process.env['TURNLOOP_TEST_SERVER'] = running.server.address;
  await startSuite();
}
