/**
 * What a client's call can fail with, besides the errors of the connection. Each has its own `name`, the workflow `id` of
 * the run, and says what to do.
 */
export class AgentClientError extends Error {
  /** Workflow id of the run. */
  readonly id: string;

  constructor(id: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.id = id;
  }
}

/** `start` with an id that is taken: the run is under way, or it has ended and `idReuse` doesn't allow another one. */
export class RunAlreadyExistsError extends AgentClientError {
  /** Temporal's name for how the run stands: `RUNNING`, `COMPLETED` … */
  readonly status: string;

  constructor(id: string, status: string, options?: ErrorOptions) {
    super(
      id,
      status === 'RUNNING'
        ? `a run with id "${id}" is under way: attach to it with agents.run("${id}"), send it a message with ` +
            `agents.send("${id}", …), or start with another id`
        : `a run with id "${id}" has ended (${status}) and idReuse doesn't allow another one: start with another id, ` +
            'or with idReuse "allow"',
      options,
    );
    this.status = status;
  }
}

/** No run has this id. */
export class RunNotFoundError extends AgentClientError {
  constructor(id: string, namespace: string, options?: ErrorOptions) {
    super(
      id,
      `no run has id "${id}" in namespace ${namespace}: check the id and the namespace; ` +
        'a run that ended is kept as long as the namespace retains it',
      options,
    );
  }
}

/** Somebody terminated the run: it ended without a result. */
export class RunTerminatedError extends AgentClientError {
  constructor(id: string, reason: string | undefined, options?: ErrorOptions) {
    super(
      id,
      `the run "${id}" was terminated${reason ? ` (${reason})` : ''} and has no result: ` +
        "what it had until then stands in run.transcript(); a cancel, unlike a terminate, keeps a run's result",
      options,
    );
  }
}

/** Temporal ended the run at a workflow time-out, which turnloop itself never sets. */
export class RunTimedOutError extends AgentClientError {
  constructor(id: string, options?: ErrorOptions) {
    super(
      id,
      `the run "${id}" ran into a workflow time-out and has no result: what it had until then stands in ` +
        'run.transcript(); start runs with limits.timeoutMs instead, which ends them with what there is',
      options,
    );
  }
}

/** The run has ended, so it takes no message; or it ended without answering this one. */
export class RunEndedError extends AgentClientError {
  readonly messageId: string;
  readonly status: string | undefined;

  constructor(id: string, messageId: string, status: string | undefined, options?: ErrorOptions) {
    super(
      id,
      `the run "${id}" ended${status === undefined ? '' : ` (${status})`} without answering message "${messageId}": ` +
        `start another one, or use agents.send("${id}", …), which does so where none is under way`,
      options,
    );
    this.messageId = messageId;
    this.status = status;
  }
}

/** Nobody polls the run's task queue, so nothing will happen until a worker starts. The run itself is safe. */
export class NoWorkerError extends AgentClientError {
  readonly taskQueue: string;

  constructor(id: string, taskQueue: string, options?: ErrorOptions) {
    super(
      id,
      `no worker polls task queue "${taskQueue}", so "${id}" stands still: start a worker with this task queue ` +
        '(createAgentWorker({ taskQueue, … })) and call again, or wait for one with the option waitForWorker',
      options,
    );
    this.taskQueue = taskQueue;
  }
}

/** No answer within `timeoutMs`. The message is in the run and will be answered. */
export class AnswerTimeoutError extends AgentClientError {
  readonly messageId: string;

  constructor(id: string, messageId: string, timeoutMs: number) {
    super(
      id,
      `run "${id}" didn't answer message "${messageId}" within ${timeoutMs} ms: the message is in the run; ` +
        `ask again with id "${messageId}" to go on waiting for its answer`,
    );
    this.messageId = messageId;
  }
}

/** The client was closed before there was an answer. What became of a request that was under way is unknown. */
export class ClientClosedError extends AgentClientError {
  constructor(id: string) {
    super(
      id,
      `the client was closed before there was an answer about "${id}": the run itself is not touched by that; ` +
        `connect another client and attach to it with agents.run("${id}")`,
    );
  }
}

/** More than one message may hold. Nothing was sent. */
export class MessageTooLargeError extends AgentClientError {
  readonly bytes: number;

  constructor(id: string, bytes: number, bytesMax: number) {
    super(
      id,
      `the message for "${id}" has ${bytes} bytes as JSON, at most ${bytesMax} can be sent: ` +
        'shorten it, or send files and images by URL',
    );
    this.bytes = bytes;
  }
}

/** The workers of a task queue don't know the agent. */
export class UnknownAgentError extends AgentClientError {
  constructor(agent: string, taskQueue: string, known: string[]) {
    super(
      agent,
      `no agent "${agent}" on task queue "${taskQueue}": known are ${known.join(', ') || 'none'}; ` +
        'check the name, or give the worker the agent',
    );
  }
}
