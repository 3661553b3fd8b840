import { chown, mkdir, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isExecutable } from '../../src/server/cache-folder.ts';
import { run, startChild, type Child } from './child.ts';

/** Debian's place for the programs of each major version; only some of them are on PATH. */
const debianRoot = '/usr/lib/postgresql';

/** A PostgreSQL cluster of its own, in the folder, on the port of 127.0.0.1; everybody is let in as `temporal`. */
export async function startPostgresql(folder: string, port: number): Promise<Child> {
  const bin = await binFolder();
  // PostgreSQL refuses to run as root: Debian's package has made a user for it.
  const user = process.getuid?.() === 0 ? await ids('postgres') : undefined;
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const access = ['--username=temporal', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await run(join(bin, 'initdb'), [`--pgdata=${data}`, '--no-sync', ...access], options);
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    // What it holds is worth nothing behind the tests.
    'fsync=off',
    'full_page_writes=off',
    'max_connections=200',
  ];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  return startChild(join(bin, 'postgres'), args, join(folder, '..', 'postgresql.log'), options);
}

async function binFolder(): Promise<string> {
  const versions = await readdir(debianRoot).catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const places = [
    ...newestFirst.map((version) => join(debianRoot, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  for (const place of places) if (await isExecutable(join(place, 'initdb'))) return place;
  throw new Error(
    `PostgreSQL's initdb is neither in ${debianRoot} nor on PATH: apt-get install postgresql, or put it on PATH`,
  );
}

async function ids(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
  return { uid: Number(uid), gid: Number(gid) };
}
