import { WorkflowIdConflictPolicy, type Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { connectTemporal, type ConnectOptions } from './client/connect.ts';
import { describeAgents } from './client/describe-agents.ts';
import { RunAlreadyExistsError, UnknownAgentError } from './client/errors.ts';
import { describeExecution } from './client/execution.ts';
import { signalsOf, startInput } from './client/message.ts';
import { RunHandle } from './client/run-handle.ts';
import { sendOrStart } from './client/send-or-start.ts';
import { titleOf, workflowOptions, type StartOptions } from './client/start-options.ts';
import { endWaiting, untilClosed } from './client/until-closed.ts';
import type { AgentDescription, Content, ContentPart, Message } from './contract.ts';
import { defaultTaskQueue } from './temporal-config.ts';

export * from './client/errors.ts';
export { RunHandle };
export type { Answer } from './client/answers.ts';
export type { ConnectOptions } from './client/connect.ts';
export type { AskOptions, RunDescription, WaitOptions } from './client/run-handle.ts';
export type { IdReuse, StartOptions } from './client/start-options.ts';
export type { LogEntry } from './core/log.ts';
export type { RunState } from './core/state.ts';
export type { AgentDescription, Content, Message, RunResult, StopReason, Usage } from './contract.ts';

/** What `agents.send` takes besides the message: the agent, and what a run starts with when none is under way. */
export interface SendOptions extends Omit<StartOptions, 'id' | 'idReuse'> {
  agent: string;
  /** The same id again is ignored, also by another process or after the run has ended. Default: a random one. */
  messageId?: string;
  /** Cancel what is running and go on with this message. */
  interrupt?: boolean;
}

/** What a service imports: starts agent runs, sends them messages, and attaches to those that exist. */
export class AgentClient {
  readonly temporal: Client;

  /**
   * @param temporal A client that exists already. Its connection wants `AgentPlugin`: to read long histories, and to be
   * closed while a request is tried again.
   */
  constructor(temporal: Client) {
    this.temporal = temporal;
  }

  /**
   * Connects to Temporal. What isn't given comes from Temporal's own environment variables (`TEMPORAL_ADDRESS`,
   * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS_*` …) and its TOML file; the address is 127.0.0.1:7233 at last.
   *
   * @throws Error that names the address and the remedy, when no server answers within 10 s
   */
  static async connect(options: ConnectOptions = {}): Promise<AgentClient> {
    return new AgentClient(await connectTemporal(options));
  }

  /**
   * Starts a run. `input` is a text, content parts, or an earlier conversation; over 512 KB it goes in parts.
   *
   * @throws RunAlreadyExistsError when a run with this id is under way, or has ended and `idReuse` forbids another;
   * MessageTooLargeError over 32 MB
   */
  async start(
    agent: string,
    input: string | ContentPart[] | Message[],
    options: StartOptions = {},
  ): Promise<RunHandle> {
    const id = options.id ?? `${agent}-${randomUUID()}`;
    const { given, parts } = startInput(id, input, randomUUID());
    const title = options.title ?? titleOf(input);
    const workflow = workflowOptions(agent, id, given, { ...options, title });
    return await untilClosed(this.temporal, id, async () => {
      const run = await this.#start(workflow);
      for (const part of parts) await run.temporal.signal<unknown[]>('inject', part);
      return run;
    });
  }

  /**
   * Sends a message to the run with this id, which is started when none is under way: for callers that keep no state. Over
   * 512 KB it goes in parts.
   *
   * @returns a handle of the run; `ask` it with the same message id for the answer
   * @throws MessageTooLargeError over 32 MB; TypeError when `content` is blank
   */
  async send(id: string, content: Content, options: SendOptions): Promise<RunHandle> {
    const { agent, messageId = randomUUID(), interrupt, ...start } = options;
    const message = { id: messageId, content, ...(interrupt ? { interrupt } : {}) };
    const signals = signalsOf(id, message);
    const title = options.title ?? titleOf(typeof content === 'string' ? content : [...content]);
    // In parts, the run has to be told that its first message is on its way.
    const given = signals.length === 1 ? { input: [] } : { input: [], inputId: messageId };
    const workflow = workflowOptions(agent, id, given, { ...start, title });
    const isNew = options.messageId === undefined;
    await untilClosed(this.temporal, id, () =>
      sendOrStart(this.temporal, workflow, signals, { id, messageId, isNew }),
    );
    return this.run(id);
  }

  /** A run that exists, by its id. Nothing is asked yet: an unknown id shows when the handle is used. */
  run(id: string): RunHandle {
    return new RunHandle(this.temporal, this.temporal.workflow.getHandle(id));
  }

  /**
   * The agent as the workers of a task queue know it: model, limits, tools with their schemas. Without a name, all agents.
   *
   * @throws UnknownAgentError that lists the known ones; NoWorkerError when no worker answers within 10 s
   */
  describe(agent: string, options?: { taskQueue?: string }): Promise<AgentDescription>;
  describe(agent?: undefined, options?: { taskQueue?: string }): Promise<AgentDescription[]>;
  async describe(
    agent?: string,
    { taskQueue = defaultTaskQueue }: { taskQueue?: string } = {},
  ): Promise<AgentDescription | AgentDescription[]> {
    const agents = await describeAgents(this.temporal, taskQueue);
    if (agent === undefined) return agents;
    const found = agents.find(({ name }) => name === agent);
    if (found) return found;
    throw new UnknownAgentError(
      agent,
      taskQueue,
      agents.map(({ name }) => name),
    );
  }

  /**
   * Closes the connection. Calls that wait reject with ClientClosedError, and so do those that come later; runs go on.
   * May be called twice.
   */
  async close(): Promise<void> {
    await this.temporal.connection.close();
    endWaiting(this.temporal);
  }

  async #start(options: ReturnType<typeof workflowOptions>): Promise<RunHandle> {
    try {
      const handle = await this.temporal.workflow.start('agentWorkflow', {
        ...options,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
      });
      return new RunHandle(this.temporal, handle);
    } catch (error) {
      if ((error as Error | null)?.name !== 'WorkflowExecutionAlreadyStartedError') throw error;
      const { workflowId } = options;
      const { status } = await describeExecution(this.temporal, workflowId);
      throw new RunAlreadyExistsError(workflowId, status, { cause: error });
    }
  }
}
