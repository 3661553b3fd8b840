import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { extname } from 'node:path';
import { reason } from '../../server/reason.ts';
import { defineCommand, type Terminal } from '../command.ts';
import { jsonOption } from '../options.ts';

export const replay = defineCommand({
  name: 'replay',
  summary: "replays a run's history against today's code",
  about: [
    "Replays a run against today's workflow code and says where it would diverge. The history comes from the server (by",
    "workflow id) or from a JSON file that the Temporal UI's Download or `temporal workflow show --output json` wrote.",
  ],
  args: [{ name: 'subject', help: 'workflow id, or history file' }],
  options: {
    'run-id': { type: 'string', value: 'id', help: 'which run of the workflow id; default: the latest' },
    workflows: {
      type: 'string',
      value: 'file',
      help: "workflow code to replay against; default: turnloop's own",
    },
    json: jsonOption,
  },
  examples: [
    ['replay analyst-7', ''],
    ['replay ./history.json --workflows ./src/workflows.ts', 'a workflow of your own that uses runAgent'],
  ],
  exits: '0: replays cleanly. 1: diverges, or there is no such history',
  async run({ args: { subject }, options }, terminal) {
    const history = looksLikeFile(subject)
      ? await readHistory(subject)
      : ((await readHistoryIfFile(subject)) ?? (await fetchFromServer(subject, options['run-id'], terminal)));

    // The SDK is loaded only now: --help and a wrong file name don't need it.
    const { quietRuntime } = await import('../quiet-runtime.ts');
    quietRuntime();
    const { replayHistory } = await import('../../replay.ts');
    const replayed = await replayHistory(history, options.workflows ?? ownWorkflows);
    if (options.json === true) {
      terminal.out(JSON.stringify({ subject, ...replayed }));
      return replayed.ok ? 0 : 1;
    }
    if (replayed.ok) {
      terminal.out(`${subject} replays cleanly: ${replayed.events} events`);
      return 0;
    }
    terminal.err(`${subject} diverges from today's code at ${replayed.message}`);
    return 1;
  },
});

const ownWorkflows = fileURLToPath(
  new URL(`../../workflows/index${extname(import.meta.url)}`, import.meta.url),
);

function looksLikeFile(subject: string): boolean {
  return subject.endsWith('.json') || subject.startsWith('./') || subject.startsWith('/');
}

async function readHistoryIfFile(path: string): Promise<unknown> {
  try {
    return await readHistory(path);
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

async function readHistory(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    throw Object.assign(
      new Error(`The history file ${path} can't be read: ${reason(thrown)}`, { cause: thrown }),
      { code: (thrown as NodeJS.ErrnoException).code },
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw new Error(
      `${path} is no JSON (${reason(thrown)}). Export the history in the Temporal UI by "Download", or with ` +
        '`temporal workflow show --workflow-id <id> --output json`.',
      { cause: thrown },
    );
  }
}

async function fetchFromServer(id: string, runId: string | undefined, terminal: Terminal): Promise<unknown> {
  const { findServer } = await import('../find-server.ts');
  const { fetchHistory } = await import('../fetch-history.ts');
  const server = await findServer(terminal);
  try {
    return await fetchHistory(server, id, runId);
  } finally {
    await server.stop();
  }
}
