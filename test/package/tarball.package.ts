import { LLMock } from '@copilotkit/aimock';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedProject, run as runIn, type Project } from './project.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const history = fileURLToPath(new URL('../histories/tool-retries.json', import.meta.url));
const address = process.env['TURNLOOP_TEST_ADDRESS']!;

let project: Project;
let mock: LLMock;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.on({}, (request) =>
    request.messages.at(-1)?.role === 'tool'
      ? { content: 'It is 5.' }
      : { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] },
  );
  await mock.start();
  env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_CONFIG_FILE: '/nonexistent',
    OPENAI_BASE_URL: `${mock.url}/v1`,
    OPENAI_API_KEY: 'sk-test',
  };
  project = await packedProject();
}, 300_000);

afterAll(async () => {
  await project?.remove();
  await mock.stop();
});

const lastLine = (text: string) => JSON.parse(text.trim().split('\n').at(-1)!) as Record<string, unknown>;

test('the tarball holds what is built, licence and README, and nothing of sources or tests', async () => {
  const { out } = await project.run('tar', ['-tzf', project.tarball]);
  const files = out
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(
    files.filter((file) => !/^(dist\/|LICENSE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(file)),
  ).toEqual([]);
});

test('a consumer in TypeScript has all types', async () => {
  expect(await project.run('tsc', ['-p', 'tsconfig.json'])).toEqual({ status: 0, out: '', err: '' });
});

test('publint has nothing to say', async () => {
  const { status, out } = await runIn(root, 'publint', ['run', project.tarball, '--strict']);
  expect(out).toContain('All good!');
  expect(status).toBe(0);
});

// The package is ES modules only: Node since 22.12 requires them from CommonJS, which attw's other profiles call a fault.
test('attw finds no fault in the types of any entry', async () => {
  const { status, out } = await runIn(root, 'attw', [
    project.tarball,
    '--profile',
    'esm-only',
    '--format',
    'ascii',
  ]);
  expect({ status, out: status === 0 ? '' : out }).toEqual({ status: 0, out: '' });
});

test('an ES module runs an agent on a real server', async () => {
  const { status, out, err } = await project.run('node', ['esm.mjs', `esm-${randomUUID()}`], env);
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  expect(lastLine(out)).toMatchObject({ text: 'It is 5.', stopReason: 'completed' });
});

test('CommonJS requires every entry, runs an agent and reads a history from JSON', async () => {
  const { status, out, err } = await project.run('node', ['cjs.cjs', `cjs-${randomUUID()}`, history], env);
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  const { events } = JSON.parse(await readFile(history, 'utf8')) as { events: unknown[] };
  expect(lastLine(out)).toMatchObject({ text: 'It is 5.', stopReason: 'completed', events: events.length });
});

test('the installed command knows its version and the tools of a TypeScript module', async () => {
  expect((await project.run('turnloop', ['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  const { status, out } = await project.run('turnloop', ['tools', '--json']);
  expect(status).toBe(0);
  const { tools } = JSON.parse(out) as { tools: { name: string }[] };
  expect(tools.map((tool) => tool.name)).toEqual(['add', 'read_result']);
});

test('the installed command starts everything at once, without a configured server', async () => {
  const { TEMPORAL_ADDRESS: _, ...model } = env;
  const { status, out, err } = await project.run('turnloop', ['start', 'What is 2 + 3?', '--json'], model);
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  expect(lastLine(out)).toMatchObject({ text: 'It is 5.', stopReason: 'completed' });
  // Its runs are kept, and the other commands find them.
  const listed = await project.run('turnloop', ['ls', '--json'], model);
  expect(lastLine(listed.out)).toMatchObject({
    agent: 'adder',
    title: 'What is 2 + 3?',
    status: 'completed',
  });
  const replayed = await project.run('turnloop', ['replay', String(lastLine(out)['id'])], model);
  expect({ status: replayed.status, out: replayed.out }).toMatchObject({
    status: 0,
    out: expect.stringContaining('replays cleanly'),
  });
});

/** The code blocks of a guide page that begin with a file's name, as files of the project. */
async function filesOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, 'docs/guide', page), 'utf8');
  const blocks = [...text.matchAll(/```ts\n\/\/ (\S+\.ts).*\n([\s\S]*?)```/g)];
  for (const [, name, code] of blocks) await writeFile(join(project.folder, name!), code!);
  return blocks.map(([, name]) => name!);
}

test.each(['first-agent.md', 'messages.md', 'conversations.md'])(
  'the programs of guide page %s are well typed and run to their end',
  async (page) => {
    const files = await filesOf(page);
    expect(files.length).toBeGreaterThan(0);
    expect(await project.run('tsc', ['-p', 'tsconfig.json'])).toEqual({ status: 0, out: '', err: '' });
    // Definitions alone say nothing.
    for (const file of files.filter((each) => each !== 'agents.ts')) {
      const { status, out, err } = await project.run('node', [file], env);
      expect({ file, status, err: status === 0 ? '' : err }).toEqual({ file, status: 0, err: '' });
      expect(out).toContain('It is 5.');
    }
  },
);
