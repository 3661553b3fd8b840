import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { setVariables } from '../temporal-config.ts';
import { reason } from './reason.ts';
import { ServerError } from './server-error.ts';
import type { ConnectOptions, LogLine, Server } from './server.ts';

/** Longest wait for the first answer of a configured server, in ms. */
const connectTimeoutMs = 10_000;

/**
 * The server named by Temporal's own configuration: `TEMPORAL_ADDRESS` and its relatives, or a profile of the TOML file
 * (`TEMPORAL_CONFIG_FILE`, `TEMPORAL_PROFILE`). Undefined when neither names an address. A server that is named but does
 * not answer is an error: whoever named it does not want another one.
 */
export async function fromEnvironment(env: NodeJS.ProcessEnv, log: LogLine): Promise<Server | undefined> {
  const { connectionOptions, namespace = 'default' } = readConfiguration(env);
  const address = connectionOptions.address;
  if (address === undefined || address === '') return undefined;

  const source = !env['TEMPORAL_ADDRESS'] ? "Temporal's configuration file" : 'TEMPORAL_ADDRESS';
  log(`Temporal server: ${source} says ${address}, namespace ${namespace}; connecting`);
  await checkNamespace(connectionOptions, namespace, source);
  const uiUrl = uiOf(address, env);
  return {
    address,
    namespace,
    ...(uiUrl === undefined ? {} : { uiUrl }),
    connectOptions: connectionOptions,
    embedded: false,
    stop: async () => {},
  };
}

/** Namespace set by the environment or the TOML file, for an embedded server too. */
export function configuredNamespace(env: NodeJS.ProcessEnv): string {
  return readConfiguration(env).namespace ?? 'default';
}

function readConfiguration(env: NodeJS.ProcessEnv): {
  connectionOptions: ConnectOptions;
  namespace: string | undefined;
} {
  try {
    const config = loadClientConnectConfig({ overrideEnvVars: setVariables(env) });
    const { address, tls, apiKey, metadata } = config.connectionOptions;
    const given = Object.entries({ address, tls, apiKey, metadata }).filter(
      ([, value]) => value !== undefined,
    );
    return { connectionOptions: Object.fromEntries(given) as ConnectOptions, namespace: config.namespace };
  } catch (thrown) {
    throw new ServerError(
      `Temporal's configuration can't be read: ${reason(thrown)}. ` +
        'Look at TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE and the TEMPORAL_TLS_* variables, or unset them.',
      { cause: thrown },
    );
  }
}

async function checkNamespace(options: ConnectOptions, namespace: string, source: string): Promise<void> {
  let connection: Connection;
  try {
    connection = await Connection.connect({ ...options, connectTimeout: connectTimeoutMs });
  } catch (thrown) {
    throw new ServerError(
      `No Temporal server answers at ${options.address} (from ${source}): ${reason(thrown)}. ` +
        'Start it, correct the address, or unset it to let turnloop start a server of its own.',
      { cause: thrown },
    );
  }
  try {
    await connection.withDeadline(Date.now() + connectTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (thrown) {
    // gRPC status 5 is NOT_FOUND. Others (no right to describe it, say) don't mean that runs can't be started.
    if ((thrown as { code?: unknown }).code === 5) {
      throw new ServerError(
        `The Temporal server at ${options.address} has no namespace "${namespace}". Set TEMPORAL_NAMESPACE to one it has, ` +
          `or create it: temporal operator namespace create --namespace ${namespace} --address ${options.address}`,
        { cause: thrown },
      );
    }
  } finally {
    await connection.close();
  }
}

/** Where the UI of a configured server is: `TEMPORAL_UI_URL`, or Temporal Cloud's for Cloud's addresses. */
function uiOf(address: string, env: NodeJS.ProcessEnv): string | undefined {
  const set = env['TEMPORAL_UI_URL'];
  if (set !== undefined && set !== '') return set.replace(/\/+$/, '');
  const host = address.replace(/:\d+$/, '');
  return /\.(tmprl\.cloud|api\.temporal\.io)$/.test(host) ? 'https://cloud.temporal.io' : undefined;
}
