import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { ContentPart, Limits, Message, RunInput } from './contract.ts';
import { RunHandle } from './run-handle.ts';

export interface StartOptions {
  /** Workflow id. Default: the agent's name and a random id. */
  id?: string;
  /** How long to wait for the next message after a turn, in ms. Default 0: the run ends when none waits. */
  keepOpenMs?: number;
  limits?: Partial<Limits>;
  /** Goes before the agent's model. */
  model?: string;
  metadata?: Record<string, string>;
  /** Default: the beginning of the input. Shown in the Temporal UI. */
  title?: string;
  /** Default: `turnloop`. */
  taskQueue?: string;
}

/** A run that fits a service: starts agent runs and attaches to those that exist. */
export class AgentClient {
  readonly temporal: Client;

  constructor(temporal: Client) {
    this.temporal = temporal;
  }

  /** Connects to Temporal. Histories may be larger than gRPC's default of 4 MB. */
  static async connect(options: ConnectionOptions & { namespace?: string } = {}): Promise<AgentClient> {
    const { namespace, ...connectionOptions } = options;
    const connection = await Connection.connect({
      address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
      ...connectionOptions,
      channelArgs: { 'grpc.max_receive_message_length': 128 << 20, ...connectionOptions.channelArgs },
    });
    return new AgentClient(new Client({ connection, ...(namespace === undefined ? {} : { namespace }) }));
  }

  /**
   * Starts a run. `input` is a text, content parts, or an earlier conversation.
   *
   * @throws WorkflowExecutionAlreadyStartedError when a run with this id is under way
   */
  async start(
    agent: string,
    input: string | ContentPart[] | Message[],
    options: StartOptions = {},
  ): Promise<RunHandle> {
    const id = options.id ?? `${agent}-${randomUUID()}`;
    const title = options.title ?? titleOf(input);
    const runInput: RunInput = {
      version: 1,
      agent,
      input,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.keepOpenMs === undefined ? {} : { keepOpenMs: options.keepOpenMs }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
      title,
    };
    const handle = await this.temporal.workflow.start('agentWorkflow', {
      workflowId: id,
      taskQueue: options.taskQueue ?? 'turnloop',
      args: [runInput],
      staticSummary: title,
      memo: { 'turnloop.title': title, 'turnloop.agent': agent },
      // With 10 s, Temporal's default, a task that a worker died with would stall its run for as long.
      workflowTaskTimeout: '5s',
    });
    return new RunHandle(this.temporal, handle);
  }

  /** A run that exists, by its id. */
  run(id: string): RunHandle {
    return new RunHandle(this.temporal, this.temporal.workflow.getHandle(id));
  }

  async close(): Promise<void> {
    await this.temporal.connection.close();
  }
}

/** Temporal takes 200 bytes; 60 code points fit in any script. */
const titleCharsMax = 48;

function titleOf(input: string | ContentPart[] | Message[]): string {
  const text = typeof input === 'string' ? input : lastText(input);
  const chars = Array.from(text.replace(/\s+/gu, ' ').trim());
  return chars.length <= titleCharsMax ? chars.join('') : `${chars.slice(0, titleCharsMax - 1).join('')}…`;
}

function lastText(input: (ContentPart | Message)[]): string {
  const last = input.at(-1);
  if (last === undefined) return '';
  if ('role' in last) return typeof last.content === 'string' ? last.content : '';
  return last.type === 'text' ? String(last.text) : '';
}
