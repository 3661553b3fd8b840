import { Context } from '@temporalio/activity';

/** After the signal a tool gets this long to end by itself, so that it can say what it did. */
const graceMs = 4_000;

/** A tool that didn't end by itself. The name makes it a time-out for those who read errors. */
export class ToolStopped extends Error {
  override readonly name = 'TimeoutError';
  readonly why: 'timeout' | 'cancelled';

  constructor(why: 'timeout' | 'cancelled', message: string) {
    super(message);
    this.why = why;
  }
}

export interface TimeBox {
  /** Fires when the time is up or the activity is cancelled. */
  signal: AbortSignal;
  /** The work's own end, or `ToolStopped` when the signal fired and the work didn't end within the grace. */
  race<T>(work: Promise<T>): Promise<T>;
  clear(): void;
}

/** Bounds a tool's time and passes a cancel on to it. */
export function withinTime(timeoutMs: number): TimeBox {
  const controller = new AbortController();
  const cancelled = Context.current().cancellationSignal;
  let why: ToolStopped['why'] = 'timeout';
  const cancel = () => {
    why = 'cancelled';
    controller.abort(new ToolStopped(why, 'the call was cancelled'));
  };
  cancelled.addEventListener('abort', cancel, { once: true });
  if (cancelled.aborted) cancel();
  const timer = setTimeout(
    () => controller.abort(new ToolStopped(why, `the tool did not end within ${timeoutMs} ms`)),
    timeoutMs,
  );
  return {
    signal: controller.signal,
    race: async (work) =>
      await Promise.race([endedByItself(work, controller.signal), stopped(controller.signal)]),
    clear() {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

/** A tool that rejects because of the signal is a tool that was stopped, whatever error it chose to throw. */
async function endedByItself<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function stopped(signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await new Promise((resolve) => setTimeout(resolve, graceMs).unref());
  throw signal.reason;
}
