import { Client, Connection, type ClientOptions, type ConnectionOptions } from '@temporalio/client';
import { connectionForRuns } from '../connection/connection-options.ts';
import { temporalConfig, type ConfigSource } from '../temporal-config.ts';

/** Where Temporal is. What isn't given comes from Temporal's own environment variables and TOML file. */
export interface ConnectOptions
  extends ConnectionOptions, ConfigSource, Pick<ClientOptions, 'dataConverter' | 'identity'> {
  namespace?: string;
}

/**
 * @throws Error that names the address and the remedy, when no server answers; one about the configuration, when that
 * can't be read
 */
export async function connectTemporal(options: ConnectOptions): Promise<Client> {
  const { namespace, profile, configFile, dataConverter, identity, ...given } = options;
  const config = temporalConfig({ profile, configFile });
  const connectionOptions = connectionForRuns({
    ...config.connection,
    ...(given.credentials === undefined ? {} : { tls: null }),
    ...given,
  });
  const connection = await connected(connectionOptions);
  const client = { dataConverter, identity, namespace: namespace ?? config.namespace };
  const set = Object.fromEntries(Object.entries(client).filter(([, value]) => value !== undefined));
  return new Client({ connection, ...(set as Partial<ClientOptions>) });
}

async function connected(options: ConnectionOptions): Promise<Connection> {
  try {
    return await Connection.connect(options);
  } catch (error) {
    const { message, code } = error as { message?: string; code?: unknown };
    throw new Error(
      `no Temporal server answers at ${options.address} (${message ?? String(error)}): start it, or correct the address ` +
        `(option address, TEMPORAL_ADDRESS, or the profile in Temporal's configuration file)${
          code === 16 || code === 7 ? '; the server refused the credentials: check apiKey and tls' : ''
        }`,
      { cause: error },
    );
  }
}
