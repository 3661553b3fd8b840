import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { fitReply } from '../../src/activities/fit-reply.ts';
import type {
  AssistantMessage,
  ModelReply,
  OpenAIToolCall,
  PlannedCall,
  StoredPart,
} from '../../src/contract.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { readResultTool } from '../../src/tools/builtin/read-result.ts';
import { propertySeed } from '../setup/property-seed.ts';

const bytesMax = 512_000;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const text = (bytes: number, char = 'x'): string => char.repeat(bytes / Buffer.byteLength(char));

/** Takes nothing and has nothing. */
const full: Store = { ...memoryStore(), put: async () => false };

const replyOf = (message: Partial<AssistantMessage>, more: Partial<ModelReply> = {}): ModelReply => ({
  message: { role: 'assistant', content: 'Short.', ...message },
  context: { id: 'a-context_id-of-22-chr', entries: 3 },
  usage: { promptTokens: 7 },
  ...more,
});
const call = (fields: object = {}, functionFields: object = {}): OpenAIToolCall => ({
  id: 'c1',
  type: 'function',
  function: { name: 'look', arguments: '{}', ...functionFields },
  ...fields,
});

/** What enters the history of a reply; never more than 512 KB. */
async function entered(reply: ModelReply, store = memoryStore()): Promise<ModelReply> {
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: 'report', runId: 'run-1' },
  });
  const before = JSON.stringify(reply);
  const fitted = (await environment.run(() => fitReply(reply, store))) as ModelReply;
  expect(bytesOf(fitted)).toBeLessThanOrEqual(bytesMax);
  // The context in the store holds the message as it came.
  expect(JSON.stringify(reply)).toBe(before);
  return fitted;
}

test('a reply that fits is left as it is', async () => {
  const reply = replyOf({ content: text(500_000), reasoning_content: 'hm' }, { thinking: 'hm' });
  expect(await entered(reply)).toBe(reply);
});

describe('thinking', () => {
  test('that is too long is cut with a note, and nothing else is touched', async () => {
    const { message } = replyOf({ reasoning_content: 'hm', content: text(50_000) });
    const fitted = await entered({ ...replyOf({}), message, thinking: text(700_000, 'é') });
    expect(fitted.message).toEqual(message);
    expect(fitted.thinking).toBe(
      `${text(200_000, 'é')}\n[cut: 350000 characters, of which the first 100000 are kept]`,
    );
    expect(fitted.warnings).toBeUndefined();
  });

  test('that stands in a field too is cut for display, and the field goes with a warning', async () => {
    const thinking = text(600_000);
    const fitted = await entered(replyOf({ reasoning_content: thinking }, { thinking }));
    expect(fitted.message).toEqual({ role: 'assistant', content: 'Short.' });
    expect(fitted.thinking).toMatch(/^x{100000}\n\[cut: 600000 characters/u);
    expect(fitted.warnings).toEqual([
      'the reply was too large for the history, which lacks of it: reasoning_content (600021 bytes)',
    ]);
  });
});

describe("fields of the provider's own", () => {
  test('go whole, the largest first, until the rest fits', async () => {
    const details = [{ type: 'reasoning.encrypted', data: text(300_000) }];
    const fitted = await entered(
      replyOf({ reasoning_details: details, reasoning: text(200_000), images: [text(30_000)] }),
    );
    expect(Object.keys(fitted.message)).toEqual(['role', 'content', 'reasoning', 'images']);
    expect(fitted.warnings).toEqual([expect.stringMatching(/: reasoning_details \(3000\d\d bytes\)$/u)]);
  });

  test('of calls go too, and their warning says where they stood', async () => {
    const signed = call({ extra_content: { google: { thought_signature: text(400_000) } } });
    const inner = call({ id: 'c2', kept: 1 }, { provider_specific_fields: { thought: text(350_000) } });
    const plan: PlannedCall[] = [{ hash: 'h1' }, { hash: 'h2', safe: true }];
    const fitted = await entered(replyOf({ content: null, tool_calls: [signed, inner] }, { plan }));
    expect(fitted.message.tool_calls).toEqual([call(), inner]);
    expect(fitted.plan).toEqual(plan);
    expect(fitted.warnings).toEqual([expect.stringMatching(/: tool_calls\[0\]\.extra_content \(400\d\d\d/u)]);

    const both = await entered(
      replyOf({ tool_calls: [signed, { ...inner, function: { ...inner.function, f: text(400_000) } }] }),
    );
    expect(both.message.tool_calls).toEqual([call(), inner]);
    expect(both.warnings?.[0]).toMatch(/tool_calls\[0\]\.extra_content .*tool_calls\[1\]\.function\.f /u);
  });

  test('go before the text is cut, unless the text alone is too long', async () => {
    const fits = await entered(replyOf({ content: text(450_000), reasoning_content: text(100_000) }));
    expect(fits.message).toEqual({ role: 'assistant', content: text(450_000) });
    const long = await entered(replyOf({ content: text(600_000), reasoning_content: text(100_000) }));
    expect(long.message['reasoning_content']).toBe(text(100_000));
    expect(long.message.content).toMatch(/^x{100000}\n\[cut: /u);
    expect(long.warnings).toBeUndefined();
  });

  test('that are very many are counted instead of named', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field_${i}`, text(30)]));
    const fitted = await entered(replyOf(fields));
    expect(fitted.warnings?.[0]).toMatch(/: (field_\d+ \(\d+ bytes\), ){9}field_\d+ .* and \d+ more$/u);
  });

  test('that are known from no list, with a name as long as they are, go like any other', async () => {
    const fitted = await entered(replyOf({ [text(600_000, '"')]: 1 }));
    expect(Object.keys(fitted.message)).toEqual(['role', 'content']);
  });
});

describe('a text that is too long', () => {
  const whole = `${text(600_000, 'é')}the end`;

  test('is cut with a note that leads to the whole of it', async () => {
    const store = memoryStore();
    const { message } = await entered(replyOf({ content: whole }), store);
    const { length } = whole;
    expect(message.content).toBe(
      `${text(200_000, 'é')}\n[cut: ${length} characters, of which the first 100000 are kept · read_result("reply-a-context_id-of-22-chr")]`,
    );
    const { execute } = readResultTool(store).spec;
    const read = (runId: string) =>
      execute(
        { ref: 'reply-a-context_id-of-22-chr', offset: -7, limit: 100, context: 0 } as never,
        { runId, rootRunId: 'an earlier run of the chain' } as never,
      );
    expect(await read('report')).toBe(`[characters 300,000–300,007 of 300,007 · end]\nthe end`);
    await expect(read('another')).rejects.toThrow(/not stored/u);
  });

  test('says so when the store could not keep it', async () => {
    const { message } = await entered(replyOf({ content: whole }), full);
    expect(message.content).toMatch(/are kept; the whole could not be stored and is lost\]$/u);
  });

  test('and is a refusal is cut in both of its places', async () => {
    const { message } = await entered(replyOf({ content: whole, refusal: whole }, { finish: 'refusal' }));
    expect(message.refusal).toMatch(/^é{100000}\n\[cut: .* · read_result\("reply-/u);
    expect(message.content).toBe(message.refusal);
  });

  test('among other parts is cut in its place', async () => {
    const part = { type: 'custom', id: 'p' };
    const { message } = await entered(replyOf({ content: [{ type: 'text', text: whole }, part] }));
    expect(message.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^é{100000}\n\[cut:/u) },
      part,
    ]);
  });

  test('in many bytes a character is cut shorter when several together are too long', async () => {
    const content = text(600_000, '漢');
    const fitted = await entered(
      replyOf({ content, refusal: text(600_000, '\u{1}') }, { thinking: text(600_000, '\u{1}') }),
    );
    expect(fitted.message.content).toMatch(/^漢+\n\[cut: 200000 characters/u);
    expect(fitted.thinking).toMatch(/are kept\]$/u);
  });
});

describe('a part of a content that is no text', () => {
  const image = (bytes: number, url = 'data:image/png;base64,') => ({
    type: 'image_url',
    image_url: { url: `${url}${Buffer.alloc(bytes, 7).toString('base64')}` },
  });

  test('goes to the store when it is an image, and is a reference then', async () => {
    const store = memoryStore();
    const words = { type: 'text' as const, text: 'Here it is.' };
    const { message, warnings } = await entered(replyOf({ content: [words, image(600_000)] }), store);
    const stored = {
      type: 'stored',
      key: expect.stringMatching(/^file\//u),
      mediaType: 'image/png',
      bytes: 600_000,
    };
    expect(message.content).toEqual([words, stored]);
    expect(warnings).toBeUndefined();
    const { key } = (message.content as StoredPart[])[1]!;
    expect(Buffer.from((await store.get(key))!).equals(Buffer.alloc(600_000, 7))).toBe(true);
  });

  test.each([
    ['the store can keep nothing', image(600_000), full],
    ['it is of another kind', { type: 'audio', data: text(600_000) }, memoryStore()],
    ['its data is no image', image(600_000, 'data:application/zip;base64,'), memoryStore()],
    ['it has no data', { type: 'image_url', image_url: null, more: text(600_000) }, memoryStore()],
  ])('goes with a warning when %s', async (_, part, store) => {
    const { message, warnings } = await entered(replyOf({ content: [part as never] }), store);
    expect(message.content).toBeNull();
    expect(warnings?.[0]).toMatch(/lacks of it: content\[0\], (image_url|audio) \(\d+ bytes\)$/u);
  });

  test('goes with as many others as it takes when there are very many', async () => {
    const dots = Array.from({ length: 30_000 }, (_, i) => ({ type: 'dot', id: 100_000 + i }));
    const { message, warnings } = await entered(
      replyOf({ content: [{ type: 'text', text: 'Hi.' }, ...dots] }),
    );
    const [words, ...left] = message.content as unknown as { id: number }[];
    expect(words).toEqual({ type: 'text', text: 'Hi.' });
    expect(left.length).toBeGreaterThan(10_000);
    expect(left.every(({ id }, i) => i === 0 || id === left[i - 1]!.id + 1)).toBe(true);
    expect(warnings?.[0]).toMatch(/content\[\d+\], dot .* and \d+ more$/u);
  });
});

describe('calls', () => {
  const args = JSON.stringify({ text: text(400_000) });

  test('whose arguments are too large have them by reference, the largest first', async () => {
    const tool_calls = [call({}, { arguments: '{"a":1}' }), call({ id: 'c2' }, { arguments: args })];
    tool_calls.push(call({ id: 'c3' }, { arguments: JSON.stringify({ text: text(300_000) }) }));
    const plan = tool_calls.map((_, index): PlannedCall => ({ hash: `h${index}` }));
    const fitted = await entered(replyOf({ tool_calls }, { plan, thinking: text(150_000) }));
    expect(fitted.message.tool_calls?.map((each) => each.function.arguments)).toEqual([
      '{"a":1}',
      '{}',
      tool_calls[2]!.function.arguments,
    ]);
    expect(fitted.plan?.map(({ argsRef }) => argsRef !== undefined)).toEqual([false, true, false]);
    expect(fitted.thinking).toBe(text(150_000));
    expect(fitted.warnings).toBeUndefined();
  });

  test('are dropped when even their references are too many, and each that stays has its own', async () => {
    const tool_calls = Array.from({ length: 5_000 }, (_, i) =>
      call({ id: `c${i}` }, { arguments: JSON.stringify({ text: text(1_500) }) }),
    );
    const plan = tool_calls.map((_, i): PlannedCall => ({ hash: `h${i}` }));
    const fitted = await entered(replyOf({ tool_calls }, { plan }));
    const count = fitted.message.tool_calls!.length;
    expect(count).toBeGreaterThan(2_000);
    expect(fitted.plan).toHaveLength(count);
    fitted.plan!.forEach(({ hash, argsRef }, i) => {
      expect(fitted.message.tool_calls![i]!.id).toBe(`c${hash.slice(1)}`);
      expect(argsRef).toMatch(new RegExp(`/${hash.slice(1)}$`, 'u'));
    });
  });

  test('that name very many resources run alone instead', async () => {
    const reads = Array.from({ length: 30_000 }, (_, i) => `/a/path/to/file/${i}`);
    const plan: PlannedCall[] = [{ hash: 'h', safe: true, reads, writes: ['x'] }];
    const fitted = await entered(replyOf({ tool_calls: [call()] }, { plan }));
    expect(fitted.plan).toEqual([{ hash: 'h' }]);
    expect(fitted.warnings?.[0]).toMatch(/resources of call 1, which runs alone/u);
  });

  test('that are too many are dropped from the end, with a warning', async () => {
    const tool_calls = Array.from({ length: 10_000 }, (_, i) => call({ id: `call-${i}`.padEnd(20, '-') }));
    const plan = tool_calls.map((): PlannedCall => ({ hash: 'h'.repeat(16) }));
    const { message, plan: kept, warnings } = await entered(replyOf({ tool_calls }, { plan }));
    const count = message.tool_calls!.length;
    expect(count).toBeGreaterThan(3_000);
    expect(message.tool_calls).toEqual(tool_calls.slice(0, count));
    expect(kept).toHaveLength(count);
    expect(warnings).toEqual([
      `${10_000 - count} of 10000 call(s) dropped: the reply was too large for the history`,
    ]);
  });

  test('with a name that fills a history alone are dropped, the others stay', async () => {
    const tool_calls = [call({}, { name: text(600_000) }), call({ id: 'c2' })];
    const plan: PlannedCall[] = [{ hash: 'h1' }, { hash: 'h2' }];
    const fitted = await entered(replyOf({ tool_calls }, { plan }));
    expect([fitted.message.tool_calls, fitted.plan]).toEqual([[tool_calls[1]], [plan[1]]]);
    const none = await entered(replyOf({ tool_calls: [tool_calls[0]!] }, { plan: [plan[0]!] }));
    expect('tool_calls' in none.message || 'plan' in none).toBe(false);
  });
});

test('warnings that fill a history are shortened', async () => {
  const warnings = Array.from({ length: 9_000 }, (_, i) => `tool-${i}: ${text(100)}`);
  const fitted = await entered(replyOf({}, { warnings }));
  expect(fitted.warnings).toEqual([...warnings.slice(0, 20), '8980 more warnings']);
});

test('whatever a reply is made of, at most 512 KB of it enter the history', async () => {
  const long = fc
    .tuple(fc.integer({ min: 0, max: 400_000 }), fc.constantFrom('x', 'é', '漢', '😀', '\u{1}', '"'))
    .map(([bytes, char]) => text(bytes - (bytes % 4) - ((bytes - (bytes % 4)) % 3), char));
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        content: long,
        thinking: long,
        refusal: long,
        field: long,
        argument: long,
        signature: long,
      }),
      fc.constantFrom('text', 'list', 'refusal'),
      fc.integer({ min: 0, max: 5 }),
      fc.boolean(),
      async ({ content, thinking, refusal, field, argument, signature }, kind, calls, storeIsFull) => {
        const tool_calls = Array.from({ length: calls }, (_, i) =>
          call({ id: `c${i}`, signature }, { arguments: JSON.stringify({ argument }) }),
        );
        const plan = tool_calls.map((_, i): PlannedCall => ({ hash: `h${i}`, args: { argument } }));
        const parts = [
          { type: 'text' as const, text: content },
          { type: 'other', field },
        ];
        const reply = replyOf(
          {
            content: kind === 'list' ? parts : content,
            reasoning: field,
            ...(kind === 'refusal' ? { refusal } : {}),
            ...(calls > 0 ? { tool_calls } : {}),
          },
          { thinking, ...(calls > 0 ? { plan } : {}) },
        );
        const { message } = await entered(reply, storeIsFull ? full : memoryStore());
        expect(message.tool_calls?.map(({ id }) => id)).toEqual(
          reply.message.tool_calls?.map(({ id }) => id),
        );
      },
    ),
    { seed: propertySeed, numRuns: 15 },
  );
}, 60_000);
