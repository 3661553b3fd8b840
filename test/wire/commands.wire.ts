import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RunResult } from '../../src/contract.ts';
import type { LogEntry } from '../../src/core/log.ts';
import type { RunState } from '../../src/core/state.ts';
import { findExecutable } from '../../src/server/find-executable.ts';
import { startRuntime, type Runtime } from '../e2e/harness.ts';
import { until } from '../e2e/until.ts';
import { testServer } from '../setup/test-server.ts';
import { analyst, analystReply } from './analyst.ts';
import { commandsOf, type Command } from './shell-blocks.ts';
import { schemaProblems } from './wire-schemas.ts';

interface Done extends Command {
  code: number;
  stdout: string;
}

describe('the commands of docs/wire.md', () => {
  let runtime: Runtime;
  let folder: string;
  const done: Done[] = [];

  beforeAll(async () => {
    runtime = await startRuntime({ agents: [analyst], replies: [analystReply] });
    await runtime.startWorker({ taskQueue: 'turnloop' });
    folder = await mkdtemp(join(tmpdir(), 'turnloop-wire-'));
    // The one that is found may have another name than the page gives it.
    await symlink(await findExecutable(process.env, () => {}), join(folder, 'temporal'));
    const page = await readFile(new URL('../../docs/wire.md', import.meta.url), 'utf8');
    for (const command of commandsOf(page)) {
      done.push({ ...command, ...(await run(command.line)) });
      const id = /--workflow-id (\S+)/u.exec(command.line)?.[1];
      if (id !== undefined) await settled(id);
    }
  });
  afterAll(async () => {
    await runtime.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function run(line: string): Promise<{ code: number; stdout: string }> {
    const env = {
      ...process.env,
      TEMPORAL_ADDRESS: testServer().address,
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
    };
    return new Promise((resolve) => {
      execFile('bash', ['-c', line], { env, timeout: 60_000 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? -1);
        resolve({ code, stdout: code === 0 ? stdout : `${stdout}${stderr}` });
      });
    });
  }

  /** The page's reader is slower than its runs: what was asked is answered before the next command. */
  const settled = (id: string): Promise<void> =>
    until(`${id} has nothing to do`, async () => {
      const handle = runtime.client.run(id);
      if ((await handle.temporal.describe()).status.name !== 'RUNNING') return true;
      const { ended, phase, waitingMessages } = await handle.state();
      return phase === 'idle' && waitingMessages === 0 && ended !== undefined;
    });

  /** Output of the n-th command that has these words. */
  function outputOf(words: string, n = 0): string {
    const found = done.filter(({ line }) => line.includes(words))[n];
    if (found === undefined) throw new Error(`docs/wire.md has no command with "${words}", number ${n + 1}`);
    return found.stdout;
  }
  const jsonOf = (words: string, n = 0): unknown => JSON.parse(outputOf(words, n));
  const answerOf = (query: string): unknown =>
    (jsonOf(`--workflow-id growth-2025 --name ${query}`) as { queryResult: unknown[] }).queryResult[0];

  test('exit with the code that the page tells', () => {
    expect(done.length).toBeGreaterThan(15);
    for (const { line, exitCode, code, stdout } of done)
      expect([line, code, code === exitCode ? '' : stdout]).toEqual([line, exitCode, '']);
  });

  test('start runs with what the schema allows, and get the result', () => {
    const inputs = done.flatMap(({ line }) => /--input '(\{"version.*?\})'/u.exec(line)?.[1] ?? []);
    expect(inputs).toHaveLength(4);
    expect(inputs.flatMap((input) => schemaProblems('start-input', JSON.parse(input)))).toEqual([]);
    const { result, status } = jsonOf('result --workflow-id report-1') as {
      result: RunResult;
      status: string;
    };
    expect(result).toMatchObject({ text: 'The north grew fastest.', stopReason: 'completed' });
    expect([status, schemaProblems('run-result', result)]).toEqual(['COMPLETED', []]);
  });

  test('send messages as text, by id, and with an interrupt', async () => {
    const transcript = await runtime.client.run('growth-2025').transcript();
    expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Which region grew fastest?',
      'only 2025',
      'And 2024?',
      'Stop, take 2023.',
    ]);
  });

  test('start a conversation by a message, and send one in parts', async () => {
    const transcript = await runtime.client.run('chat-ada').transcript();
    expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Which region grew fastest?',
      'A long report.',
    ]);
  });

  test('read where a run stands, its transcript, and events behind a cursor', () => {
    expect(answerOf('state') as RunState).toMatchObject({ agent: 'analyst', phase: 'idle', turn: 4 });
    const { items: messages } = answerOf('transcript') as { items: unknown[] };
    expect(messages).toHaveLength(11);
    const { items: events } = answerOf('events') as { items: LogEntry[] };
    expect(events[0]).toMatchObject({ seq: 4, kind: 'call-started', name: 'growth' });
  });

  test('cancel a run, whose result is then in the memo', () => {
    expect(outputOf('result --workflow-id growth-2025')).toContain('CANCELED');
    const { workflowExecutionInfo } = jsonOf('describe') as {
      workflowExecutionInfo: { memo: { fields: { [name: string]: unknown } } };
    };
    const { fields } = workflowExecutionInfo.memo;
    expect(fields).toMatchObject({ 'turnloop.title': 'Growth by region', 'turnloop.agent': 'analyst' });
    expect(fields['turnloop.result']).toMatchObject({ stopReason: 'cancelled', turns: 4 });
    expect(schemaProblems('run-result', fields['turnloop.result'])).toEqual([]);
  });

  test('show why a run failed', () => {
    const printed = outputOf('result --workflow-id report-2');
    const { status, closeEvent } = JSON.parse(printed.slice(0, printed.lastIndexOf('}') + 1)) as {
      status: string;
      closeEvent: {
        workflowExecutionFailedEventAttributes: {
          failure: { applicationFailureInfo: { type: string; nonRetryable: boolean; details: RunResult[] } };
        };
      };
    };
    const { type, nonRetryable, details } =
      closeEvent.workflowExecutionFailedEventAttributes.failure.applicationFailureInfo;
    expect([status, type, nonRetryable]).toEqual(['FAILED', 'unknown_agent', true]);
    expect(schemaProblems('run-result', details[0])).toEqual([]);
  });

  test('reset a run that has ended, which then ends again', () => {
    expect(outputOf('show --workflow-id report-1')).toMatch(/\b4 .*WorkflowTaskCompleted/u);
    expect(outputOf('reset')).toContain('event ID 4');
    const [before, after] = [0, 1].map(
      (n) => jsonOf('result --workflow-id report-1', n) as { runId: string; result: RunResult },
    );
    expect(after?.runId).not.toBe(before?.runId);
    expect(after?.result).toMatchObject({ text: 'The north grew fastest.', stopReason: 'completed' });
  });
});
