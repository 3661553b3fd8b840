import type { Logger, LogMetadata } from '@temporalio/common';
import { Contexts } from '../activities/contexts.ts';
import { runTool } from '../activities/run-tool.ts';
import { idempotencyKey } from '../activities/tool-context.ts';
import type { JsonObject, Limits, RunToolInput, ToolOutcome } from '../contract.ts';
import { bounds, defaultLimits } from '../limits.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { Store } from '../stores/store.ts';
import type { Tool } from '../tools/define.ts';
import { isTool } from '../tools/define-tool.ts';
import { planCalls } from '../tools/plan.ts';
import { toolRegistry } from '../tools/registry.ts';
import { resultKey } from '../tools/result-key.ts';
import { shown } from '../tools/shown.ts';
import { loadPeer } from './load-peer.ts';

export interface TestToolOptions {
  /**
   * The worker dies in the first attempt, and the call is tried again: `start`, before the tool's function runs; `end`, when
   * it has run to its end and nobody has heard of it yet.
   */
  killAfter?: 'start' | 'end';
  limits?: Partial<Pick<Limits, 'toolTimeoutMs' | 'toolAttempts' | 'toolResultMaxChars'>>;
  /** Default: one in memory. */
  store?: Store;
}

export interface TestedTool {
  /** What the run records; `text` is what a model reads. */
  outcome: ToolOutcome;
  /** Whether a person has to agree first, and why. `testTool` asks nobody: the call runs. */
  approval: boolean | string;
  /** 0 when the call was refused. */
  attempts: number;
  /** How often the tool's function was called; a death at `start` comes before it. */
  executions: number;
  /** The pauses behind attempts that failed by themselves, in ms. They are not waited for. */
  retryDelaysMs: number[];
  /** What the tool's function can recognize a repetition by; the same in each attempt. Absent when the call was refused. */
  idempotencyKey?: string;
  /** The full result, where `text` is only a preview of it. */
  stored?: string;
  /** The same as bytes. */
  storedBytes?: Uint8Array;
  /** Last details that the tool gave to `heartbeat`. */
  progress?: unknown;
  log: { level: string; message: string; attributes: LogMetadata }[];
}

const root = 'root';
const workflowId = 'test-tool';

/**
 * One call of a tool as a worker runs it, without a model and without a server: arguments as a model writes them (an object
 * or text) are read, cast and validated; the real activity runs in Temporal's own environment for tests, with retries, time
 * limit, redaction and preview.
 *
 * ```ts
 * const { outcome } = await testTool(transfer, { amount: 5 }, { killAfter: 'end' });
 * expect(outcome.status).toBe('unknown'); // neither idempotent nor verifiable: never run twice
 * ```
 *
 * A death is simulated: the retry finds what a dead attempt leaves behind, its last heartbeat and no outcome, so that it
 * takes no heartbeat time-out of 5 s and the same thing happens each time.
 *
 * @throws TypeError when `tool` was not made by defineTool; Error when @temporalio/testing is not installed
 */
export async function testTool(
  tool: Tool,
  args: unknown,
  options: TestToolOptions = {},
): Promise<TestedTool> {
  if (!isTool(tool))
    throw new TypeError(`testTool: tool is ${shown(tool)}. Needed: a tool made by defineTool.`);
  const { toolCalls, plan } = planCalls(
    [{ id: 'call-1', name: tool.name, arguments: args, extra: {}, functionExtra: {} }],
    [tool],
  );
  const planned = plan[0]!;
  const approval = planned.approval ?? false;
  if (planned.answer)
    return { outcome: planned.answer, approval, attempts: 0, executions: 0, retryDelaysMs: [], log: [] };

  const limits = { ...defaultLimits, ...options.limits };
  const input: RunToolInput = {
    agent: 'test',
    key: '1/1/0',
    id: 'call-1',
    args: planned.args ?? (JSON.parse(toolCalls[0]!.function.arguments) as JsonObject),
    root,
    timeoutMs: planned.timeoutMs ?? limits.toolTimeoutMs,
    attempts: planned.attempts ?? limits.toolAttempts,
    maxChars: limits.toolResultMaxChars,
  };
  const store = options.store ?? memoryStore();
  const ended = await untilEnded(tool, input, store, options.killAfter);
  const storedBytes = await store.get(resultKey({ runId: workflowId, rootRunId: root }, input.key));
  return {
    ...ended,
    approval,
    idempotencyKey: idempotencyKey(input),
    ...(storedBytes && { storedBytes, stored: new TextDecoder().decode(storedBytes) }),
  };
}

type Ended = Pick<TestedTool, 'outcome' | 'attempts' | 'executions' | 'retryDelaysMs' | 'progress' | 'log'>;

/** What Temporal does: an attempt, and another one when it failed or its worker died, with the last heartbeat's details. */
async function untilEnded(
  tool: Tool,
  input: RunToolInput,
  store: Store,
  killAfter: TestToolOptions['killAfter'],
): Promise<Ended> {
  const name = '@temporalio/testing';
  const { MockActivityEnvironment } = await loadPeer(name, 'testTool', () => import('@temporalio/testing'));
  const log: TestedTool['log'] = [];
  const logger = collecting(log);
  const retryDelaysMs: number[] = [];
  let executions = 0;
  let heartbeatDetails: unknown;
  const counted = withExecute(tool, (args, context) => {
    executions++;
    return tool.spec.execute(args, context);
  });

  for (let attempt = 1; ; attempt++) {
    let dead = false;
    const dying = withExecute(tool, async (args, context) => {
      if (killAfter === 'end') await counted.spec.execute(args, context);
      dead = true;
      throw new Error('the worker died');
    });
    const isFatal = attempt === 1 && killAfter !== undefined;
    const environment = new MockActivityEnvironment(
      {
        attempt,
        heartbeatDetails,
        activityType: tool.name,
        heartbeatTimeoutMs: bounds.heartbeatTimeoutMs,
        workflowExecution: { workflowId, runId: root },
      },
      { logger },
    );
    // A dead process says nothing more, neither to Temporal nor to the store.
    environment.on('heartbeat', (details: unknown) => {
      if (!dead) heartbeatDetails = throughJson(details);
    });
    const mortal: Store = { ...store, put: async (key, bytes) => !dead && (await store.put(key, bytes)) };
    const activity = runTool(depsOf(tool, mortal), isFatal ? dying : counted);
    try {
      const outcome = throughJson(await environment.run(activity, input)) as ToolOutcome;
      if (dead) continue;
      const progress = (heartbeatDetails as { details?: unknown } | undefined)?.details;
      return {
        outcome,
        attempts: attempt,
        executions,
        retryDelaysMs,
        log,
        ...(progress !== undefined && { progress }),
      };
    } catch (error) {
      if (dead) continue;
      const { type, nextRetryDelay } = error as { type?: unknown; nextRetryDelay?: unknown };
      if (type !== 'ToolFailed') throw error;
      retryDelaysMs.push(Number(nextRetryDelay));
    }
  }
}

const withExecute = (tool: Tool, execute: Tool['spec']['execute']): Tool => ({
  ...tool,
  spec: { ...tool.spec, execute },
});

/** What a worker's activities share; a tool's needs the store alone. */
const depsOf = (tool: Tool, store: Store): Parameters<typeof runTool>[0] => ({
  registry: toolRegistry([{ name: 'test', instructions: 'Test.', model: 'none', tools: [tool] }]),
  models: () => {
    throw new Error('testTool has no model');
  },
  store,
  contexts: new Contexts(store),
  recoverByQuery: false,
});

/** As it comes out of a history. */
const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

function collecting(entries: TestedTool['log']): Logger {
  const log = (level: string, message: string, attributes: LogMetadata = {}): void => {
    entries.push({ level, message, attributes });
  };
  return {
    log,
    trace: (message, attributes) => log('TRACE', message, attributes),
    debug: (message, attributes) => log('DEBUG', message, attributes),
    info: (message, attributes) => log('INFO', message, attributes),
    warn: (message, attributes) => log('WARN', message, attributes),
    error: (message, attributes) => log('ERROR', message, attributes),
  };
}
