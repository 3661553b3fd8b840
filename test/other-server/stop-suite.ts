import stopSuite from '../setup/stop-suite.ts';
import { running } from './running.ts';

export default async function globalTeardown(): Promise<void> {
  await stopSuite();
  await running.server?.stop();
}
