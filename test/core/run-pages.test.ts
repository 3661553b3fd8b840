import { carried } from '../../src/core/carry.ts';
import type { Run } from '../../src/core/run.ts';
import { eventsPage, transcriptPage } from '../../src/core/run-pages.ts';
import { started } from './drive.ts';

const long = 'x'.repeat(400_000);

/** A run of three turns, and the one it goes on as: the first long answer stays behind. */
function chain(): { before: Run; after: Run } {
  const d = started({}, { keepOpenMs: 1 }).replies(long);
  const before = d.message('m1').opens().replies(long).message('m2').opens().replies('ok').run;
  return { before, after: carried(before, 'run-1', 0)!.run };
}

test('a run at its start has one empty page', () => {
  const { run } = started();
  expect(transcriptPage(run, 1)).toEqual({ items: [] });
  expect(eventsPage(run, 99)).toEqual({ items: [] });
});

test('events are read behind a seq', () => {
  const { run } = started().replies('a');
  expect(eventsPage(run, 1).items.map(({ seq }) => seq)).toEqual([2, 3, 4]);
});

test('positions go on across a continuation, and the page says which run has what stands before', () => {
  const { before, after } = chain();
  expect([before.transcript.length, after.dropped, after.transcript.length]).toEqual([6, 2, 4]);
  expect(transcriptPage(after, 4).items.map(({ content }) => content)).toEqual(['m2', 'ok']);
  expect(transcriptPage(after, 4).before).toBeUndefined();
  expect(transcriptPage(after, 0)).toEqual({
    items: [{ role: 'user', content: 'm1' }],
    next: 3,
    before: { runId: 'run-1', entries: 2, seq: before.log.at(-1)!.seq },
  });
});

test('seqs go on across a continuation, and the page says which run has those before', () => {
  const { before, after } = chain();
  const last = before.log.at(-1)!.seq;
  expect(eventsPage(after, last)).toEqual({ items: [] });
  expect(eventsPage(after, last - 1)).toEqual({ items: [before.log.at(-1)] });
  expect(eventsPage(after, 0)).toEqual({
    items: [before.log.at(-1)],
    before: { runId: 'run-1', entries: 2, seq: last },
  });
});

test('the next page is asked for by position in the conversation and by seq, also behind a continuation', () => {
  const { after } = chain();
  const run: Run = {
    ...after,
    transcript: Array.from({ length: 3 }, () => ({ message: { role: 'user', content: long } })),
    log: Array.from({ length: 3 }, (_, i) => ({
      seq: 20 + i,
      at: 0,
      turn: 1,
      kind: 'turn-ended',
      text: long,
      stopReason: 'completed',
      iterations: 1,
      usage: after.usage,
    })),
  };
  const page = transcriptPage(run, 2);
  expect([page.items.length, page.next, page.piece?.nextOffset]).toEqual([0, 2, 160_000]);
  const events = eventsPage(run, 20);
  expect([events.items.length, events.next, events.piece?.nextOffset]).toEqual([0, 20, 160_000]);
});
