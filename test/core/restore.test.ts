import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { carried, mayCarry } from '../../src/core/carry.ts';
import { restored } from '../../src/core/restore.ts';
import { Drive } from './drive.ts';

/*
 * States that released versions have written, in `carried/`. They are never edited or made anew: runs that were continued
 * with them are under way. A new version adds files of its own. `carried/negative/` holds what no version has written.
 */
const folder = fileURLToPath(new URL('./carried', import.meta.url));
const read = (name: string): unknown => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));
const namesIn = (path: string): string[] =>
  readdirSync(path).flatMap((file) => (file.endsWith('.json') ? file.replace('.json', '') : []));

/** A run that goes on from the state. */
function goesOn(name: string): Drive {
  const d = new Drive('');
  d.run = restored(read(name));
  return d;
}

/** What each goes on with, and how it ends. */
const ways: Record<string, (d: Drive) => void> = {
  'v1-waiting': (d) => {
    expect(d.step).toEqual({ kind: 'wait', forMs: 3_600_000 });
    d.message('m1').message('m2', { content: 'And c?' }).opens();
    expect(d.run.turn).toMatchObject({ n: 3, messageIds: ['m2'] });
    expect(d.step).toMatchObject({
      base: { id: 'hJ3tqv0m2w8b1c9d7e5f3g', entries: 7 },
      append: [{ role: 'user', content: 'And c?' }],
    });
    d.round('look').replies('In c is 3.').on({ kind: 'waited-out' });
    expect(d.end).toMatchObject({ text: 'In c is 3.', stopReason: 'completed' });
    expect(d.run.usage.requests).toBe(5);
  },
  'v1-asking': (d) => {
    expect(d.step).toMatchObject({
      kind: 'call-model',
      purpose: 'reply',
      base: { id: 'Qm2Yp8sW4r6t0u1i3o5a7d', entries: 9 },
      append: [{ role: 'user', content: 'To c instead.' }],
    });
    const again = { name: 'look', arguments: '{"key":"a"}' };
    const outside = { class: 'soft_boundary' as const, target: '/etc/PASSWD' };
    const refused = { status: 'refused' as const, text: 'Error: outside', violation: outside };
    d.round(again).round('read', refused).round('list', refused).replies('Copied.');
    // The third identical call is warned of, the third violation of a target escalates: both were counted before.
    expect(d.lines.filter((line) => line.includes('look-0'))[0]).toMatch(/result 0\n\n/);
    expect(d.lines.filter((line) => line.includes('list-0'))[0]).toMatch(/refused 3 times/);
    expect(d.end).toMatchObject({ text: 'Copied.', stopReason: 'completed' });
    expect(d.run.turn).toMatchObject({ messageIds: ['m1', 'm2'], iteration: 9 });
  },
  'v1-length-chain': (d) => {
    d.replies({ text: 'at last, ', finish: 'length' }, 'all.').on({ kind: 'waited-out' });
    expect(d.end).toMatchObject({ text: 'First, then at last, all.', stopReason: 'completed' });
  },
  'v1-finalizing': (d) => {
    expect(d.next).toBe('finalize-cap');
    expect(d.replies('What I have.').end).toMatchObject({ stopReason: 'max_iterations' });
  },
  'v1-dropped': (d) => {
    expect(d.message('m2').opens().step).toMatchObject({
      base: { id: 'Nn8Bb7Vv6Cc5Xx4Zz3Ll2K', entries: 2_002 },
      append: [{ role: 'user', content: 'm2' }],
    });
    d.on({ kind: 'model-called' }).on({ kind: 'context-missing' });
    expect(d.step).toMatchObject({ base: { id: '', entries: 1_998 } });
    expect(d.replies('Yes.').run.base?.entries).toBe(2_004);
    expect(d.run.log.at(-1)?.seq).toBe(d.run.log[0]!.seq + d.run.log.length - 1);
  },
  'v1-part-of-a-message': (d) => {
    d.on({ kind: 'part-received', part: { id: 'large', part: 2, of: 2, text: ' and half"}' } }).opens();
    expect(d.lines).toEqual(['user: half and half']);
  },
};

test('every state of the corpus goes on, and every way has a state', () => {
  expect(Object.keys(ways).toSorted()).toEqual(namesIn(folder).toSorted());
});

test.each(Object.keys(ways))('%s goes on where it was', (name) => {
  ways[name]!(goesOn(name));
});

test.each(namesIn(folder))('%s may be carried on as it is', (name) => {
  const { run } = goesOn(name);
  expect(mayCarry(run)).toBe(true);
  const again = restored(JSON.parse(JSON.stringify(carried(run, 'run-2', run.startedAt))));
  const seq = run.log.at(-1)?.seq ?? 0;
  expect(again).toEqual({ ...run, before: { runId: 'run-2', entries: run.dropped ?? 0, seq } });
});

const refusals: Record<string, string> = {
  'newer-version': 'carried.version is 2: this worker reads 1, deploy a newer one',
  'version-as-text': 'carried.version is "1"',
  'no-version': 'carried.version is undefined',
  'not-an-object': 'needs version and run',
  null: 'needs version and run',
  list: 'needs version and run',
  'no-run': 'needs version and run',
  'run-as-list': 'needs version and run',
  'missing-fields': 'carried.run lacks inbox, log',
  'transcript-as-text': "carried.run.transcript has not the shape of a run's transcript",
  'transcript-without-messages': 'carried.run.transcript has not the shape',
  'inbox-without-waiting': 'carried.run.inbox has not the shape',
  'keep-open-as-text': 'carried.run.keepOpenMs has not the shape',
};

test('every negative of the corpus is refused', () => {
  expect(Object.keys(refusals).toSorted()).toEqual(namesIn(`${folder}/negative`).toSorted());
});

test.each(Object.entries(refusals))('%s is refused: %s', (name, why) => {
  expect(() => restored(read(`negative/${name}`))).toThrow(why);
});
