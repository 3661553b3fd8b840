import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { configuredNamespace, fromEnvironment } from '../../src/server/from-environment.ts';
import { scratchFolder } from './scratch.ts';

const address = process.env['TURNLOOP_TEST_ADDRESS']!;
const quiet = () => {};
let folder: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: folder, remove } = await scratchFolder());
});
afterAll(() => remove());

/** Nothing but what a test sets, and no configuration file of the person who runs it. */
const environment = (more: NodeJS.ProcessEnv) => ({
  TEMPORAL_CONFIG_FILE: join(folder, 'none.toml'),
  ...more,
});

test('nothing configured is no server, and namespace default', async () => {
  expect(await fromEnvironment(environment({}), quiet)).toBeUndefined();
  expect(configuredNamespace(environment({}))).toBe('default');
});

test('a variable that is empty is none', async () => {
  const names = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY', 'TEMPORAL_TLS_SERVER_NAME'];
  const empty = environment(Object.fromEntries(names.map((name) => [name, ''])));
  expect(await fromEnvironment(empty, quiet)).toBeUndefined();
  expect(configuredNamespace(empty)).toBe('default');
  const server = await fromEnvironment({ ...empty, TEMPORAL_ADDRESS: address }, quiet);
  expect(server).toMatchObject({ address, namespace: 'default', connectOptions: { address } });
});

test('TEMPORAL_ADDRESS names the server, which is not ended by stop()', async () => {
  const server = await fromEnvironment(environment({ TEMPORAL_ADDRESS: address }), quiet);
  expect(server).toMatchObject({
    address,
    namespace: 'default',
    embedded: false,
    connectOptions: { address },
  });
  await server?.stop();
  expect(await fromEnvironment(environment({ TEMPORAL_ADDRESS: address }), quiet)).toBeDefined();
});

test('a profile of the TOML file names the server', async () => {
  const file = join(folder, 'temporal.toml');
  await writeFile(file, `[profile.mine]\naddress = "${address}"\n`);
  const env = environment({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'mine' });
  expect((await fromEnvironment(env, quiet))?.address).toBe(address);
});

test('a profile that does not exist is an error that names the variables', async () => {
  const env = environment({ TEMPORAL_PROFILE: 'missing' });
  await expect(fromEnvironment(env, quiet)).rejects.toThrow(/missing.*TEMPORAL_PROFILE/);
});

test('a namespace that the server lacks is an error with the command that creates it', async () => {
  const env = environment({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'nobody' });
  await expect(fromEnvironment(env, quiet)).rejects.toThrow(
    /no namespace "nobody".*namespace create --namespace nobody/,
  );
});

test('a server that is named but does not answer is an error, not a reason to start another', async () => {
  const closed = await closedPort();
  const env = environment({ TEMPORAL_ADDRESS: `127.0.0.1:${closed}` });
  await expect(fromEnvironment(env, quiet)).rejects.toThrow(
    new RegExp(`No Temporal server answers at 127.0.0.1:${closed} \\(from TEMPORAL_ADDRESS\\)`),
  );
});

test('the UI is where TEMPORAL_UI_URL says', async () => {
  const env = environment({ TEMPORAL_ADDRESS: address, TEMPORAL_UI_URL: 'http://ui.example/' });
  expect((await fromEnvironment(env, quiet))?.uiUrl).toBe('http://ui.example');
});

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
