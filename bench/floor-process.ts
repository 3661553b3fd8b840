import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { floorActivities } from './floor-activities.ts';
import { obey } from './worker-control.ts';

/* The floor's worker: `node floor-process.ts <task queue> <workflow bundle>`, set up as turnloop's. */
const [taskQueue = '', codePath = ''] = process.argv.slice(2);
const { TEMPORAL_ADDRESS: address = '', MODEL_URL: baseURL = '', TOOL_BYTES } = process.env;

Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { codePath },
  activities: floorActivities(baseURL, Number(TOOL_BYTES)),
});
obey(() => worker.shutdown());
await worker.run();
await connection.close();
process.exit(0);
