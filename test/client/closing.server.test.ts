import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testServer } from '../setup/test-server.ts';

const script = fileURLToPath(new URL('./closing-process.ts', import.meta.url));

/** What a process of its own says of the calls that waited when it closed its client, and how it ended. */
async function closing(server: 'up' | 'gone') {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, testServer().address, server],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { status, err, calls: JSON.parse(out || 'null') as Record<string, string> | null };
}

const closed = 'ClientClosedError';
const everyCall = { result: closed, events: closed, ask: closed, describe: closed, later: closed };

test('a client that is closed while the server is gone ends every call at once, and throws nothing that nobody can catch', async () => {
  expect(await closing('gone')).toEqual({
    status: 0,
    err: '',
    // The SDK's own request ends with its next try: gRPC status 1, cancelled.
    calls: { ...everyCall, raw: 'Error 1' },
  });
});

test('a client that is closed while the server answers ends every call at once', async () => {
  expect(await closing('up')).toEqual({ status: 0, err: '', calls: { ...everyCall, raw: 'none' } });
});
