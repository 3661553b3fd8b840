import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testServer } from '../setup/test-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a smoke run measures turnloop beside the floor and meets its bounds', async () => {
  const results = await mkdtemp(join(tmpdir(), 'turnloop-bench-test-'));
  try {
    const child = spawn(
      'npm',
      [
        ...['run', 'bench', '--', 'history', 'throughput', 'long', '--quick'],
        ...['--contenders', 'turnloop,floor', '--address', testServer().address, '--results', results],
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(child, 'exit');
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('| turnloop |') });

    const files = (await readdir(results)).sort();
    const rowsOf = async (what: string) => {
      const file = files.find((name) => name.endsWith(`-${what}.json`)) ?? '';
      return (JSON.parse(await readFile(join(results, file), 'utf8')) as { rows: Record<string, unknown>[] })
        .rows;
    };
    expect(await rowsOf('history')).toMatchObject([
      { contender: 'turnloop', turns: 3, status: 'COMPLETED' },
      { contender: 'floor', turns: 3, status: 'COMPLETED' },
    ]);
    expect(await rowsOf('throughput')).toMatchObject([
      { contender: 'turnloop', modelCalls: 20 },
      { contender: 'floor', modelCalls: 20 },
    ]);
    const [long] = await rowsOf('long');
    expect(Object.keys(long?.['histories'] ?? {}).length).toBeGreaterThan(1);
    expect(long?.['heap']).toHaveLength(4);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}, 180_000);
