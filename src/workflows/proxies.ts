import { ActivityCancellationType, scheduleActivity, type ActivityOptions } from '@temporalio/workflow';
import type {
  CallModelInput,
  ContextRef,
  LoadContextInput,
  ModelReply,
  OpenedTurn,
  OpenTurnInput,
  RunToolInput,
  ToolOutcome,
} from '../contract.ts';
import { sizedSummary } from './summary.ts';

/**
 * Activity options, in one place. Every activity heartbeats, so a dead worker is noticed after 5 s and a cancel arrives
 * within about a second; its result is waited for after a cancel, since it says what was done (temporal-facts, "Stall").
 */
const everyActivity = {
  heartbeatTimeout: '5s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

/**
 * The pause behind an attempt that was lost with its worker. Failures that an activity reports name their own pause, so a
 * growing one here would only make the run stand still longer the more often the model had failed before.
 */
const afterLostWorker = { initialInterval: '1s', backoffCoefficient: 1 } as const;

/** A value over Temporal's size limit never gets smaller by trying again. */
const nonRetryableErrorTypes = ['PayloadsTooLarge'];

/** Time between the activity's own time-out, which ends it with a clear message, and Temporal's. */
const startToCloseMarginMs = 20_000;

/** Attempts that a tool's worker may die in, on top of its own. */
const workerDeathsMax = 3;

/** Attempts of `openTurn`: an agent's instructions may be a function that needs something which is down for a moment. */
const openTurnAttempts = 5;

/** When the run is stopped, what a turn was to be opened with no longer matters: it isn't waited for. */
export const openTurnActivity = (input: OpenTurnInput): Promise<OpenedTurn> =>
  scheduleActivity<OpenedTurn>('turnloop.openTurn', [input], {
    ...everyActivity,
    cancellationType: ActivityCancellationType.TRY_CANCEL,
    startToCloseTimeout: '60s',
    retry: { ...afterLostWorker, maximumAttempts: openTurnAttempts, nonRetryableErrorTypes },
    summary: `turn ${input.turn}`,
  });

/**
 * Attempts are not bounded here: the activity itself knows how long the model has been failing and how often its worker
 * died, and ends with a failure that is not retryable.
 */
export const callModelActivity = (input: CallModelInput, summary: string): Promise<ModelReply> =>
  scheduleActivity<ModelReply>('turnloop.callModel', [input], {
    ...everyActivity,
    startToCloseTimeout: input.timeoutMs + startToCloseMarginMs,
    retry: { ...afterLostWorker, nonRetryableErrorTypes },
    summary: sizedSummary(summary),
  });

/** Bounded in time: without a worker that shares a store with the last one it would be tried for ever. */
export const loadContextActivity = (input: LoadContextInput): Promise<ContextRef> =>
  scheduleActivity<ContextRef>('turnloop.loadContext', [input], {
    ...everyActivity,
    startToCloseTimeout: '60s',
    retry: { ...afterLostWorker, nonRetryableErrorTypes },
    summary: 'a part of the conversation',
  });

export const runToolActivity = (
  type: string,
  input: RunToolInput,
  options: { summary: string; taskQueue?: string },
): Promise<ToolOutcome> =>
  scheduleActivity<ToolOutcome>(type, [input], {
    ...everyActivity,
    startToCloseTimeout: input.timeoutMs + startToCloseMarginMs,
    retry: {
      ...afterLostWorker,
      maximumAttempts: input.attempts + workerDeathsMax,
      nonRetryableErrorTypes,
    },
    summary: sizedSummary(options.summary),
    // On a queue of its own nobody may be polling: without this bound the call would wait for ever.
    ...(options.taskQueue === undefined
      ? {}
      : { taskQueue: options.taskQueue, scheduleToStartTimeout: input.timeoutMs }),
  });
