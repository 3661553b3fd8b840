import { DefaultLogger, makeTelemetryFilterString, Runtime, type LogLevel } from '@temporalio/worker';

export interface RuntimeLog {
  /** Least level that is written. */
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  /** Lines of JSON instead of text. */
  json?: boolean;
  write(line: string): void;
}

/**
 * Sets up Temporal's runtime for a command that is a worker: what it logs goes through `write`, and signals are left to the
 * command, which ends things in its own order. Call it once, before anything of the worker package is used.
 */
export function installRuntime({ level, json = false, write }: RuntimeLog): void {
  Runtime.install({
    logger: new DefaultLogger(level.toUpperCase() as LogLevel, (entry) => {
      const time = new Date(Number(entry.timestampNanos / 1_000_000n)).toISOString();
      const { error, ...meta } = entry.meta ?? {};
      const details = { ...meta, ...(error === undefined ? {} : { error: textOf(error) }) };
      if (json) write(JSON.stringify({ time, level: entry.level, message: entry.message, ...details }));
      else write(`${time} ${entry.level} ${entry.message} ${JSON.stringify(details)}`);
    }),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
  });
}

function textOf(error: unknown): string {
  const { stack } = error as { stack?: unknown };
  return typeof stack === 'string' ? stack : String(error);
}
