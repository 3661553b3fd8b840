import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Server of clients and workers that name none, when Temporal's configuration doesn't either. */
const defaultAddress = '127.0.0.1:7233';

/** Task queue of workers and clients that name none. */
export const defaultTaskQueue = 'turnloop';

/** Where to look in Temporal's configuration. */
export interface ConfigSource {
  /** Profile of the configuration file. Default: `TEMPORAL_PROFILE`, else `default`. */
  profile?: string | undefined;
  /** TOML file. Default: `TEMPORAL_CONFIG_FILE`, else Temporal's file in the user's configuration folder. */
  configFile?: string | undefined;
}

/** What Temporal's own configuration says: the environment (`TEMPORAL_ADDRESS` and its relatives), then the TOML file. */
export interface TemporalConfig {
  connection: { address: string; tls?: object | boolean; apiKey?: string; metadata?: Record<string, string> };
  namespace?: string;
}

/**
 * The variables that are set to something: an empty value is the same as none, where Temporal's own reading would switch TLS
 * on, or name an empty namespace. But an empty `TEMPORAL_GRPC_META_*` takes a header of the file away.
 */
export function setVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (entry[1] !== '' || entry[0].startsWith('TEMPORAL_GRPC_META_')),
  );
  return Object.fromEntries(set);
}

/** @throws Error that says what to look at, when the configuration can't be read */
export function temporalConfig({ profile, configFile }: ConfigSource = {}): TemporalConfig {
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({
      overrideEnvVars: setVariables(process.env),
      ...(profile === undefined ? {} : { profile }),
      ...(configFile === undefined ? {} : { configSource: { path: configFile } }),
    });
    const { address, tls, apiKey, metadata } = connectionOptions;
    const connection = Object.fromEntries(
      Object.entries({ address: address || defaultAddress, tls, apiKey, metadata }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as TemporalConfig['connection'];
    return { connection, ...(namespace === undefined ? {} : { namespace }) };
  } catch (error) {
    const reason = (error as { message?: string } | null)?.message ?? String(error);
    throw new Error(
      `Temporal's configuration can't be read: ${reason}. ` +
        'Look at TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE and the TEMPORAL_TLS_* variables, or unset them.',
      { cause: error },
    );
  }
}
