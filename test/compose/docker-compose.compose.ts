import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { foundInTheCode, root, runProgram, textOf, variablesIn, variablesReadByTheCode } from './project.ts';

/*
 * docker-compose.yml as docker-compose reads it. No container is started here: the images can't be had in every place this
 * runs, so what the files say is held against the code and against each other.
 */
interface Service {
  image: string;
  build?: unknown;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
  restart: string;
  stop_grace_period?: string;
  volumes?: string[];
}
interface Composed {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const password = 'test-password-1';
const jobs = ['temporal-schema', 'temporal-namespace'];

let folder: string;
let composed: Composed;

/** `docker-compose config` with an environment file and nothing else in the environment. */
const config = async (variables: string) => {
  const file = join(folder, 'env');
  await writeFile(file, variables);
  return runProgram('docker-compose', ['--env-file', file, 'config'], { PATH: process.env['PATH'] });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnloop-compose-'));
  const filled = (await textOf('.env.example')).replace(
    /^POSTGRES_PASSWORD=$/m,
    `POSTGRES_PASSWORD=${password}`,
  );
  const { code, stdout, stderr } = await config(filled);
  if (code !== 0) throw new Error(`docker-compose config failed: ${stderr}`);
  composed = parse(stdout) as Composed;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('docker-compose takes the file and finds every service', () => {
  expect(Object.keys(composed.services).sort()).toEqual([
    'postgresql',
    'temporal',
    'temporal-namespace',
    'temporal-schema',
    'temporal-ui',
    'worker',
  ]);
});

test('without a password nothing starts, and the error names it', async () => {
  const { code, stderr } = await config(await textOf('.env.example'));
  expect(code).not.toBe(0);
  expect(stderr).toContain('POSTGRES_PASSWORD');
  expect(stderr).toContain('set it in .env');
});

test('.env.example has the variables of the file and no others', async () => {
  const used = [...(await textOf('docker-compose.yml')).matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  expect([...variablesIn(await textOf('.env.example')).keys()].sort()).toEqual([...new Set(used)].sort());
});

test('.env.example has the defaults of the file, and no secret', async () => {
  const example = variablesIn(await textOf('.env.example'));
  for (const [, name, standard] of (await textOf('docker-compose.yml')).matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g))
    expect(`${name}=${example.get(name!)}`).toBe(`${name}=${standard}`);
  expect(example.get('POSTGRES_PASSWORD')).toBe('');
  expect(example.get('OPENAI_API_KEY')).toBe('');
});

test('.env is neither committed nor sent to the image', async () => {
  expect((await textOf('.gitignore')).split('\n')).toContain('.env');
  const sent = (await textOf('.dockerignore'))
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '');
  expect(sent[0]).toBe('*');
  expect(sent).not.toContain('!.env');
});

test('the password reaches PostgreSQL, the schema tool and the server, and nobody else', () => {
  const given = Object.entries(composed.services).flatMap(([name, { environment }]) =>
    Object.entries(environment).flatMap(([key, value]) => (value === password ? [`${name} ${key}`] : [])),
  );
  expect(given.sort()).toEqual([
    'postgresql POSTGRES_PASSWORD',
    'temporal POSTGRES_PWD',
    'temporal-schema SQL_PASSWORD',
  ]);
});

test('the worker is given only variables that the code reads', async () => {
  const read = await variablesReadByTheCode();
  // Read by Temporal's own configuration, which the code hands the whole environment.
  read.add('TEMPORAL_NAMESPACE');
  const given = Object.keys(composed.services['worker']!.environment);
  expect(given.filter((name) => !read.has(name))).toEqual([]);
  expect(given).toEqual(
    expect.arrayContaining(['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'OPENAI_API_KEY', 'OPENAI_BASE_URL']),
  );
});

test("the guide's table lists the variables that the code reads and no others", async () => {
  const guide = await textOf('docs/guide/deployment.md');
  const listed = [...guide.matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map(([, name]) => name!);
  const read = await variablesReadByTheCode();
  // Terminal conventions, not settings of turnloop.
  for (const name of ['NO_COLOR', 'TERM', 'DEBUG', 'PATH', 'HOME', 'XDG_CACHE_HOME', 'LOCALAPPDATA'])
    read.delete(name);
  expect(listed.filter((name) => !read.has(name) && !name.startsWith('TEMPORAL_'))).toEqual([]);
  expect([...read].filter((name) => !listed.includes(name))).toEqual([]);
});

test('every image is pinned to one version, and the Dockerfile to the Node of the dev dependencies', async () => {
  const images = Object.values(composed.services).filter((service) => service.build === undefined);
  for (const { image } of images) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?$/);
  const { packages } = JSON.parse(await textOf('package-lock.json')) as {
    packages: Record<string, { version: string }>;
  };
  const from = [...(await textOf('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(from).toEqual(Array(3).fill(`node:${packages['node_modules/node']?.version}-bookworm-slim`));
});

test('the schema tool and the namespace tool are of the version of the server', () => {
  const versionOf = (name: string) => composed.services[name]?.image.split(':')[1];
  expect(jobs.map(versionOf)).toEqual([versionOf('temporal'), versionOf('temporal')]);
});

test('what stays up has a health check and is restarted; what sets up runs to its end', () => {
  for (const [name, service] of Object.entries(composed.services)) {
    const stays = !jobs.includes(name);
    expect([name, service.restart]).toEqual([name, stays ? 'unless-stopped' : 'on-failure']);
    expect([name, service.healthcheck !== undefined]).toEqual([name, stays]);
  }
});

test('each part waits for what it needs', () => {
  const waits = Object.entries(composed.services).flatMap(([name, { depends_on = {} }]) =>
    Object.entries(depends_on).map(([other, { condition }]) => `${name}: ${other} ${condition}`),
  );
  expect(waits.sort()).toEqual([
    'temporal-namespace: temporal service_healthy',
    'temporal-schema: postgresql service_healthy',
    'temporal-ui: temporal service_healthy',
    'temporal: temporal-schema service_completed_successfully',
    'worker: temporal-namespace service_completed_successfully',
  ]);
});

test('nothing listens beyond the host', () => {
  for (const [name, { ports = [] }] of Object.entries(composed.services))
    for (const port of ports) expect([name, port]).toEqual([name, expect.stringMatching(/^127\.0\.0\.1:/)]);
});

test('database and store are in named volumes', () => {
  expect(Object.keys(composed.volumes).sort()).toEqual(['postgresql-data', 'worker-store']);
  expect(composed.services['postgresql']?.volumes).toEqual(['postgresql-data:/var/lib/postgresql/data:rw']);
  expect(composed.services['worker']?.volumes).toContain('worker-store:/app/.turnloop:rw');
});

test('every file that is mounted or copied exists', async () => {
  const mounted = Object.values(composed.services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!))
    .filter((path) => path.startsWith('/'));
  const copied = [...(await textOf('Dockerfile')).matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, list]) =>
    list!.split(' ').map((path) => join(root, path)),
  );
  for (const path of [...mounted, ...copied])
    expect(await runProgram('test', ['-e', path], process.env)).toMatchObject({ code: 0 });
  expect(await readdir(join(root, 'deploy/agents'))).toContain('agents.ts');
});

test('the server has the dynamic configuration of the embedded one, and reads it from where it is mounted', async () => {
  const source = await textOf('src/server/dev-server.ts');
  const embedded = [...source.matchAll(/'((?:history|system)\.\w+)=(\w+)'/g)].map(([, key, value]) => [
    key,
    value,
  ]);
  const dynamic = parse(await textOf('deploy/dynamicconfig/turnloop.yaml')) as Record<
    string,
    { value: unknown }[]
  >;
  expect(Object.entries(dynamic).map(([key, [only]]) => [key, String(only?.value)])).toEqual(embedded);
  const { environment, volumes } = composed.services['temporal']!;
  const [, mount] = volumes![0]!.split(':');
  expect(environment['DYNAMIC_CONFIG_FILE_PATH']).toBe(`${mount}/turnloop.yaml`);
});

test('a worker is given more time to stop than it lets its activities have', async () => {
  const graces = [...(await foundInTheCode(/shutdownGraceTime: '(\d+)s'/g))].map(Number);
  expect(graces).toContain(30);
  expect(composed.services['worker']?.stop_grace_period).toBe('40s');
  expect(Math.max(...graces)).toBeLessThan(40);
  expect(await textOf('Dockerfile')).toMatch(/^STOPSIGNAL SIGTERM$/m);
});

test('retention is that of the embedded server', async () => {
  const embedded = /retention = '(\d+) days'/.exec(await textOf('src/server/keep-runs.ts'))?.[1];
  expect(await textOf('deploy/setup-namespace.sh')).toContain(`retention=${embedded}d\n`);
});
