import type { NativeConnectionOptions } from '@temporalio/worker';

/** What `Connection.connect` and `NativeConnection.connect` both take to reach a server. */
export type ConnectOptions = Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;

/** A Temporal server that answers. */
export interface Server {
  /** host:port of the gRPC service. */
  address: string;
  namespace: string;
  /** Base of the Temporal UI, without a slash at the end; absent when nobody knows it. */
  uiUrl?: string;
  connectOptions: ConnectOptions;
  /** True when turnloop started it, here or in another process on this machine. */
  embedded: boolean;
  /** Ends the server if this process owns it, and nothing else. May be called twice. */
  stop(): Promise<void>;
}

/** Takes one line that tells a person what is going on. */
export type LogLine = (line: string) => void;

export interface StartServerOptions {
  log: LogLine;
  /**
   * Database file of an embedded server, so that runs survive its restart. `false`: in memory, gone at the end.
   * Default: `.turnloop/temporal.db` in the working directory. One server serves a file: a second start uses the first one.
   */
  dbFile?: string | false;
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** `false`: never use a configured server, always an embedded one. Default: true. */
  useConfigured?: boolean;
  /** Ends the search, a download or a build. */
  signal?: AbortSignal;
}
