import { readFile } from 'node:fs/promises';
import { quietRuntime } from '../../src/cli/quiet-runtime.ts';
import { replayHistory } from '../../src/replay.ts';
import { testServer } from '../setup/test-server.ts';

/* Replays one history and says on stdout how it went, as JSON: `node replay-process.ts <history file>`. */
quietRuntime();
const history: unknown = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
process.stdout.write(JSON.stringify(await replayHistory(history, testServer().workflowBundle)));
