import fc from 'fast-check';
import type { Message } from '../../src/contract.ts';
import { backfillMissingToolResults } from '../../src/prompt/backfill-missing-tool-results.ts';
import { dropOrphanToolResults } from '../../src/prompt/drop-orphan-tool-results.ts';
import { frontSystem } from '../../src/prompt/front-system.ts';
import { mergeUserMessages } from '../../src/prompt/merge-user-messages.ts';
import { orderToolResults } from '../../src/prompt/order-tool-results.ts';
import { prepare } from '../../src/prompt/prepare.ts';
import { repair } from '../../src/prompt/repair.ts';
import { uniqueCallIds } from '../../src/prompt/unique-call-ids.ts';
import { findIllegal } from '../../src/testing/legal-transcript.ts';
import { damagedHistory, legalRounds, runs } from './damaged-history.ts';

const systemMessages = fc.constantFrom('one' as const, 'many' as const);

/** Throws at any later change, however deep. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** Ids may be new ones where an earlier round has used them. */
const withoutIds = (messages: Message[]): unknown =>
  messages.map((message) => ({
    ...message,
    ...(message.role === 'tool' && { tool_call_id: '' }),
    ...(message.role === 'assistant' && {
      tool_calls: message.tool_calls?.map((call) => ({ ...call, id: '' })),
    }),
  }));

const words = (messages: Message[]): string => JSON.stringify(messages);

describe('any history whatsoever', () => {
  test('comes out as a strict provider takes it', () => {
    const property = fc.property(damagedHistory, systemMessages, (history, allowed) => {
      const options = { systemMessages: allowed };
      expect(findIllegal(prepare(history, options), options)).toBeUndefined();
    });
    fc.assert(property, runs(3_000));
  });

  test('comes out of a second run as the very same messages', () => {
    const property = fc.property(damagedHistory, systemMessages, (history, allowed) => {
      const once = prepare(history, { systemMessages: allowed });
      const twice = prepare(once, { systemMessages: allowed });
      expect(twice.length).toBe(once.length);
      expect(twice.every((message, index) => message === once[index])).toBe(true);
    });
    fc.assert(property, runs(2_000));
  });

  test('is itself never changed', () => {
    const property = fc.property(damagedHistory, (history) => void prepare(frozen(history)));
    fc.assert(property, runs(1_000));
  });

  test('comes out the same at the front of a longer one, so that a prompt cache still knows it', () => {
    const property = fc.property(damagedHistory, legalRounds, (history, rounds) => {
      const before = prepare(history);
      const after = prepare([...history, ...rounds]);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(withoutIds(after.slice(before.length))).toEqual(withoutIds(rounds));
    });
    fc.assert(property, runs(2_000));
  });

  test('with newer instructions behind it changes in its system message only', () => {
    const newer: Message = { role: 'system', name: 'instructions', content: 'newer instructions' };
    const property = fc.property(damagedHistory, (history) => {
      const rest = (messages: Message[]) => messages.filter((message) => message.role !== 'system');
      const after = prepare([...history, newer]);
      expect(rest(after)).toEqual(rest(prepare(history)));
      expect(words(after.slice(0, 1))).toContain('newer instructions');
    });
    fc.assert(property, runs(1_000));
  });

  test('loses no word of a user and no image', () => {
    const property = fc.property(damagedHistory, fc.nat(14), (history, place) => {
      const image = { type: 'image_url', image_url: { url: 'data:,needle' } };
      const spoken: Message[] = [
        { role: 'user', content: 'needle in text' },
        { role: 'user', content: [{ type: 'text', text: 'needle in a part' }, image] },
      ];
      const sent = words(prepare(history.toSpliced(place, 0, ...spoken)));
      for (const needle of ['needle in text', 'needle in a part', 'data:,needle'])
        expect(sent).toContain(needle);
    });
    fc.assert(property, runs(1_000));
  });
});

describe('each step is needed: without it some history is refused', () => {
  const steps = {
    repair,
    frontSystem,
    uniqueCallIds,
    dropOrphanToolResults,
    backfillMissingToolResults,
    orderToolResults,
    mergeUserMessages,
  };
  const histories = fc.sample(damagedHistory, { numRuns: 2_000, seed: 20 });

  const refusedWithout = (left: string | undefined): number =>
    histories.filter((history) => {
      const used = Object.entries(steps).filter(([name]) => name !== left);
      try {
        const sent = used.reduce((messages, [, step]) => step(messages), history);
        return findIllegal(sent) !== undefined;
      } catch {
        // A step met what another one was to remove: refused as well.
        return true;
      }
    }).length;

  test.each(Object.keys(steps))('without %s', (name) => {
    expect(refusedWithout(name)).toBeGreaterThan(0);
  });

  test('with all of them none is', () => {
    expect(refusedWithout(undefined)).toBe(0);
  });
});

test('a healthy transcript is sent as it is, the very same messages', () => {
  const transcript: Message[] = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: 'x' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I search.',
      reasoning_content: 'opaque',
      origin: { provider: 'p', model: 'm' },
      tool_calls: [
        {
          id: '1',
          type: 'function',
          function: { name: 'search', arguments: '{ "q" : 1 }' },
          extra_content: { s: 'x' },
        },
      ],
    },
    { role: 'tool', tool_call_id: '1', content: 'found' },
    { role: 'assistant', content: 'Here it is.' },
    { role: 'user', content: 'Thanks', name: 'ann' },
  ];
  const sent = prepare(transcript);
  expect(sent.length).toBe(transcript.length);
  for (const [index, message] of sent.entries()) expect(message).toBe(transcript[index]);
});

test('a message signalled between two results stands behind both', () => {
  const sent = prepare([
    {
      role: 'assistant',
      content: null,
      tool_calls: ['1', '2'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'f', arguments: '{}' },
      })),
    },
    { role: 'tool', tool_call_id: '2', content: 'second' },
    { role: 'user', content: 'wait' },
    { role: 'tool', tool_call_id: '1', content: 'first' },
    { role: 'user', content: 'go on' },
  ]);
  expect(sent.slice(1)).toEqual([
    { role: 'tool', tool_call_id: '1', content: 'first' },
    { role: 'tool', tool_call_id: '2', content: 'second' },
    { role: 'user', content: 'wait\n\ngo on' },
  ]);
});

test('a placeholder between a call and its result separates them no longer', () => {
  const sent = prepare([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'assistant', content: 'no reply', placeholder: true },
    { role: 'tool', tool_call_id: '1', content: 'found' },
  ]);
  expect(sent.at(-1)).toEqual({ role: 'tool', tool_call_id: '1', content: 'found' });
});

test('a history of ten thousand rounds that all use one call id is prepared whole', () => {
  const rounds = Array.from({ length: 10_000 }, (_, index): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'same', type: 'function', function: { name: 'f', arguments: `{"n":${index}}` } }],
    },
    { role: 'tool', tool_call_id: 'same', content: 'x' },
  ]).flat();
  expect(prepare(rounds).length).toBe(20_000);
});
