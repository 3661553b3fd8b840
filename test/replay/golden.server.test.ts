import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../server/scratch.ts';
import { golden, historiesFolder, historyFile, readHistory, replayInFreshProcess } from './golden.ts';
import { scenarios } from './golden-scenarios.ts';

for (const [name, scenario] of Object.entries(scenarios)) golden(name, scenario);

test('every scenario has a history and every history a scenario', async () => {
  const files = (await readdir(historiesFolder)).toSorted();
  expect(files).toEqual(
    Object.keys(scenarios)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
});

test('a history whose activity is another one does not replay, and the event is named', async () => {
  const history = await readHistory(historyFile('answer-with-tools'));
  const scheduled = history.events.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType.name === 'turnloop.callModel',
  )!;
  scheduled.activityTaskScheduledEventAttributes!.activityType.name = 'turnloop.askModel';
  const { path, remove } = await scratchFolder();
  try {
    const file = join(path, 'changed.json');
    await writeFile(file, JSON.stringify(history));
    expect(await replayInFreshProcess(file)).toEqual({
      ok: false,
      eventId: Number(scheduled.eventId),
      message: `event ${scheduled.eventId}: the history has activity "turnloop.askModel", the code wants activity "turnloop.callModel"`,
    });
  } finally {
    await remove();
  }
});
