import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Message, RunInput, RunResult } from '../../src/contract.ts';
import type { LogEntry } from '../../src/core/log.ts';
import type { Page } from '../../src/core/page.ts';
import type { RunState } from '../../src/core/state.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { testServer } from '../setup/test-server.ts';
import { analyst, analystReply } from './analyst.ts';
import { pythonWithTemporal } from './python.ts';
import { schemaProblems } from './wire-schemas.ts';

/** What `client.py` prints. */
interface Printed {
  conversation: {
    input: RunInput;
    sent: unknown[];
    states: RunState[];
    transcript: Message[];
    events: LogEntry[];
    pages: { transcript: Page<Message>[]; events: Page<LogEntry>[] };
    cancelled: boolean;
    memo: { [key: string]: unknown };
  };
  task: { input: RunInput; result: RunResult };
  failing: { input: RunInput; type: string; details: RunResult };
}

describe('a client in Python', () => {
  let runtime: Runtime;
  let printed: Printed;

  beforeAll(async () => {
    runtime = await startRuntime({ agents: [analyst], replies: [analystReply] });
    const python = await pythonWithTemporal();
    const script = fileURLToPath(new URL('./client.py', import.meta.url));
    const { stdout } = await promisify(execFile)(
      python,
      [script, testServer().address, runtime.taskQueue, 'python'],
      { timeout: 120_000, maxBuffer: 128 << 20 },
    );
    printed = JSON.parse(stdout) as Printed;
  });
  afterAll(() => runtime.stop());

  test('sends messages in every form, each of which gets its turn', () => {
    const { states, sent } = printed.conversation;
    expect(states.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5]);
    expect(states.map(({ ended }) => ended?.text)).toEqual([
      'The north grew fastest.',
      'Noted: only 2025',
      'Noted: [{"text":"And 2024?","type":"text"}]',
      'Noted: A long report. A long report. A long report. A long report.',
      'Noted: Thank you.',
    ]);
    // A text, the same message twice, a message in ten parts, one more.
    expect(sent).toHaveLength(14);
  });

  test('reads the whole conversation, through pages, pieces and the runs of a chain', () => {
    const { transcript, events, pages } = printed.conversation;
    const users = transcript.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(users).toEqual([
      'Which region grew fastest?',
      'only 2025',
      [{ type: 'text', text: 'And 2024?' }],
      'A long report. '.repeat(100_000),
      'Thank you.',
    ]);
    expect(transcript.filter(({ role }) => role !== 'user').map(({ role }) => role)).toEqual([
      'system',
      ...Array<string>(2).fill('assistant').toSpliced(1, 0, 'tool'),
      ...Array<string>(3).fill('assistant'),
      // The run that goes on left them behind with the long report, so they are recorded again.
      'system',
      'assistant',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter(({ kind }) => kind === 'turn-ended')).toHaveLength(5);
    // What makes reading more than one query.
    expect(pages.transcript.some(({ piece }) => piece?.nextOffset !== undefined)).toBe(true);
    expect(pages.events.some(({ before }) => before !== undefined)).toBe(true);
  });

  test('learns how each run ended', () => {
    const { conversation, task, failing } = printed;
    expect(conversation.cancelled).toBe(true);
    expect(conversation.memo).toMatchObject({
      'turnloop.agent': 'analyst',
      'turnloop.title': 'Growth by region',
      'turnloop.result': { stopReason: 'cancelled', text: 'Noted: Thank you.', turns: 5 },
    });
    expect(task.result).toMatchObject({ stopReason: 'completed', text: 'The north grew fastest.', turns: 1 });
    expect(failing.type).toBe('unknown_agent');
    expect(failing.details).toMatchObject({ stopReason: 'error', error: { type: 'unknown_agent' } });
  });

  test('sends and gets what the JSON Schemas say', () => {
    const { conversation, task, failing } = printed;
    const problems = [
      ...[conversation, task, failing].flatMap(({ input }) => schemaProblems('start-input', input)),
      ...conversation.sent.flatMap((payload) => schemaProblems('inject', payload)),
      ...conversation.states.flatMap((state) => schemaProblems('run-state', state)),
      ...conversation.pages.transcript.flatMap((page) => schemaProblems('transcript-page', page)),
      ...conversation.pages.events.flatMap((page) => schemaProblems('events-page', page)),
      ...[task.result, failing.details, conversation.memo['turnloop.result']].flatMap((result) =>
        schemaProblems('run-result', result),
      ),
    ];
    expect(problems).toEqual([]);
  });
});
