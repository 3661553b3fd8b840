import type { Limits } from './contract.ts';

/**
 * Every default limit. The workflow never reads this file: `openTurn` records the limits in the run, and the loop obeys
 * what is recorded, so a changed default never changes a run in flight. Sources: turn-semantics §1 and §3, and the
 * measurements in `docs/decisions/`.
 */
export const defaultLimits: Limits = {
  maxIterations: 10,
  maxEmptyRetries: 2,
  maxLengthRecoveries: 3,
  maxInjectionsPerDrain: 3,
  maxInjectionCycles: 5,
  finalizeAtCap: true,
  callsPerTurn: 50,
  repeatWarnAt: 3,
  repeatRefuseAt: 5,
  repeatRoundsMax: 3,
  maxParallel: 16,
  toolResultMaxChars: 2_000,
  toolTimeoutMs: 300_000,
  toolAttempts: 3,
  modelCallTimeoutMs: 600_000,
  modelOutageWaitMs: 3_600_000,
  cancelGraceMs: 5_000,
};

/** Bounds that are nobody's choice: they follow from Temporal's limits or from arithmetic. */
export const bounds = {
  /** A payload: half of Temporal's 2 MiB, so that a codec's overhead fits too. */
  payloadBytesMax: 1_000_000,
  /** Result, failure details, memo of a run. */
  resultBytesMax: 64_000,
  /** Activity summaries in the Temporal UI. */
  summaryBytesMax: 200,
  /** Current details in the Temporal UI. */
  detailsCharsMax: 10_000,
  /** Tools: deaths of the worker during one call, before it is no longer tried. */
  toolWorkerDeathsMax: 3,
  /** The same for a model call, which is never at fault itself. */
  modelWorkerDeathsMax: 10,
  /** Longest pause between two tries of a model call. */
  modelRetryIntervalMsMax: 60_000,
  /** Heartbeat time-out of every activity: a dead worker is noticed after this. */
  heartbeatTimeoutMs: 5_000,
} as const;

/** Defaults of the stores. What falls out costs a resend or a result that can no longer be read, never a run. */
export const storeLimits = {
  /** A store that takes longer has lost the value, or doesn't keep it: nothing may hang on a cache. */
  answerMsMax: 10_000,
  /** Of a file store: about 2,000 of the largest contexts a payload could hold. */
  fileBytesMax: 2_000_000_000,
  /** Since it was written: as long as Temporal keeps a closed run's history where retention is set to 30 days. */
  fileAgeMsMax: 30 * 24 * 3_600_000,
  /** Of a memory store. */
  memoryBytesMax: 64_000_000,
} as const;

/** Bounds of the client. Sizes in bytes of JSON: what Temporal takes is far below what a person may paste. */
export const clientLimits = {
  /** A message over this goes in parts (temporal-facts, "Sizes"). */
  signalBytesMax: 512_000,
  /** A message or conversation over this is refused before anything is sent. */
  messageBytesMax: 32_000_000,
  /** Metadata of a run: it stands in the memo, which the server limits together with the rest. */
  metadataBytesMax: 32_000,
  /** A query that takes longer has no worker; the history is read instead. */
  queryDeadlineMs: 5_000,
  /** Reading a whole history, at most 50 MB. */
  historyDeadlineMs: 60_000,
  /** Short requests to the server. */
  requestDeadlineMs: 10_000,
  /** Without any poller for as long, a task queue has no worker. */
  noWorkerAfterMs: 5_000,
  /** Pauses between two looks at a run that is followed: short while something happens, then longer. */
  lookMsMin: 100,
  lookMsMax: 1_000,
} as const;
