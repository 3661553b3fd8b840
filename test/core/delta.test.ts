import fc from 'fast-check';
import { Contexts, type ContextItem } from '../../src/activities/contexts.ts';
import { reachOf } from '../../src/activities/resolve-context.ts';
import type { Appended, ContextRef, Message } from '../../src/contract.ts';
import { nextDelta } from '../../src/core/delta.ts';
import type { Entry } from '../../src/core/run.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { holdsAsync } from '../tools/seed.ts';

const user = (content: string): Entry => ({ message: { role: 'user', content } });
const result = (n: number, content: string): Entry => ({
  message: { role: 'tool', tool_call_id: `c${n}`, content },
  result: { ref: `1/${n}/0`, id: `c${n}` },
});
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const isRef = (item: Appended): boolean => !('role' in item) && 'ref' in item;

/** What the activities make of the parts, one after the other. Each part has to fit into a payload. */
async function loaded(transcript: Entry[], start: ContextRef | undefined, contexts: Contexts, dropped = 0) {
  const byRef = new Map(transcript.map(({ message, result: ref }) => [ref?.ref, message]));
  let base = start;
  const parts: Appended[][] = [];
  for (;;) {
    const { append, base: before, whole, entries, open } = nextDelta(transcript, base, dropped);
    expect(sizeOf({ base: before, append })).toBeLessThanOrEqual(1_000_000);
    const items = append.map((item) => ('ref' in item ? byRef.get(String(item.ref))! : item) as ContextItem);
    const known = before === undefined ? undefined : await contexts.load(before.id);
    const held = contexts.extend(known, items);
    // The next part finds it in the store, as another worker would.
    await contexts.written(held.id);
    contexts.forget();
    const reach = reachOf(before === undefined ? { append } : { base: before, append });
    expect(reach).toEqual(open === undefined ? { entries } : { entries, open });
    parts.push(append);
    if (whole) return { messages: held.messages, open: held.open, parts };
    base = { id: held.id, ...reach };
  }
}

test('what is new goes in one piece, results that stand in the history as references', () => {
  const transcript = [user('a'), user('b'), result(1, 'found')];
  expect(nextDelta(transcript, { id: 'x', entries: 1 })).toEqual({
    base: { id: 'x', entries: 1 },
    append: [
      { role: 'user', content: 'b' },
      { ref: '1/1/0', id: 'c1' },
    ],
    entries: 3,
    whole: true,
  });
});

test('without a base everything goes as whole messages', () => {
  const { append } = nextDelta([user('a'), result(1, 'found')], undefined);
  expect(append).toEqual([
    { role: 'user', content: 'a' },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ]);
});

test('behind the first part of a resend whole messages go on: the store has lost what is referred to', () => {
  const transcript = [user('a'.repeat(800_000)), ...[1, 2, 3].map((n) => result(n, 'r'.repeat(200_000)))];
  const first = nextDelta(transcript, undefined);
  expect([first.entries, first.whole]).toEqual([1, false]);
  const resent = nextDelta(transcript, { id: 'x', entries: 1, resent: true });
  expect([resent.append.length, resent.append.some(isRef)]).toEqual([3, false]);
  expect(nextDelta(transcript, { id: 'x', entries: 1 }).append.every(isRef)).toBe(true);
});

test('what an earlier run of the chain has kept is counted, though nobody has it any more', () => {
  expect(nextDelta([user('a')], undefined, 7)).toEqual({
    base: { id: '', entries: 7 },
    append: [{ role: 'user', content: 'a' }],
    entries: 8,
    whole: true,
  });
});

test('nothing new is one empty part', () => {
  expect(nextDelta([user('a')], { id: 'x', entries: 1 })).toMatchObject({ append: [], whole: true });
});

test('a context that holds part of a message which is not there is a defect that is named', () => {
  expect(() => nextDelta([user('a')], { id: 'x', entries: 1, open: 5 })).toThrow('not in the transcript');
});

test('a message is cut in the middle of an emoji and whole again behind it', async () => {
  // 289,999 odd characters of JSON stand before it, so that the cut falls between its halves.
  const prefix = sizeOf({ role: 'user', content: '' }) - 2;
  const transcript = [user('x'.repeat(290_000 - prefix - 1) + '😀'.repeat(400_000))];
  const { messages, parts } = await loaded(transcript, undefined, new Contexts(memoryStore()));
  expect(messages).toEqual(transcript.map(({ message }) => message));
  expect(parts.length).toBeGreaterThan(2);
});

/** Texts around the sizes that matter, of characters that are 1 to 4 bytes, or escaped, or ill-formed. */
const texts = fc
  .tuple(
    fc.constantFrom('a', '"', '\\', '\u0001', 'é', '語', '😀', '\ud83d', 'a"語😀'),
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(200) },
      { weight: 2, arbitrary: fc.integer({ min: 80_000, max: 160_000 }) },
      fc.integer({ min: 280_000, max: 320_000 }),
      fc.constantFrom(899_950, 900_000, 1_200_000),
    ),
  )
  .map(([unit, count]) => unit.repeat(count / unit.length));
const transcripts = fc.array(fc.record({ text: texts, isResult: fc.boolean() }), { maxLength: 9 });

test('the parts of any transcript make the transcript again, from any base, each under 1 MB', async () => {
  await holdsAsync(
    fc.asyncProperty(transcripts, fc.nat(9), fc.nat(3), async (drawn, covered, dropped) => {
      const transcript = drawn.map(({ text, isResult }, n) => (isResult ? result(n, text) : user(text)));
      const all: Message[] = transcript.map(({ message }) => message);
      const contexts = new Contexts(memoryStore({ maxBytes: 200_000_000 }));
      const start = Math.min(covered, transcript.length);
      const earlier = Array<Message>(dropped).fill({ role: 'user', content: 'earlier' });
      const known = contexts.extend(undefined, [...earlier, ...all.slice(0, start)]);
      const base = covered === 9 ? undefined : { id: known.id, entries: dropped + start };
      const { messages, open } = await loaded(transcript, base, contexts, dropped);
      expect(open).toBeUndefined();
      expect(JSON.stringify(messages) === JSON.stringify(base ? [...earlier, ...all] : all)).toBe(true);
    }),
    15,
  );
});
