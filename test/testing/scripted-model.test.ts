import type { Message } from '../../src/contract.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { completion } from '../../src/testing/raw-endpoint.ts';
import { providers } from '../../src/testing/provider.ts';
import {
  scriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from '../../src/testing/scripted-model.ts';

let model: ScriptedModel;
afterEach(() => model?.stop());

const user: Message = { role: 'user', content: 'What is 2 + 3?' };
const request = (messages: Message[] = [user]): ModelRequest => ({
  model: 'gpt-5-mini',
  messages,
  tools: [{ name: 'add', description: 'Adds.', parameters: { type: 'object' } }],
  textOnly: false,
  signal: new AbortController().signal,
  timeoutMs: 20_000,
});
const start = async (
  script: Parameters<typeof scriptedModel>[0],
  options?: ScriptedModelOptions,
): Promise<ScriptedModel> => (model = await scriptedModel(script, options));
const ask = (messages?: Message[]) => model.client.complete(request(messages));

describe.each([true, false])('a scripted model, asked for a stream: %s', (stream) => {
  test('answers with the replies in turn: text, calls, usage', async () => {
    await start(
      [
        {
          text: 'I add.',
          calls: [
            { name: 'add', args: { a: 2, b: 3 } },
            { name: 'add', args: '{"a":', id: 'mine' },
          ],
        },
        'It is 5.',
        { text: 'Cut', finish: 'length', usage: { prompt_tokens: 7, completion_tokens: 3 } },
      ],
      { profile: { stream } },
    );
    const first = await ask();
    expect(first).toMatchObject({ message: { content: 'I add.' }, finish: 'tool_calls' });
    expect(first.calls).toMatchObject([
      { id: 'call00001', name: 'add', arguments: '{"a":2,"b":3}' },
      { id: 'mine', name: 'add', arguments: '{"a":' },
    ]);
    expect(await ask()).toMatchObject({ message: { content: 'It is 5.' }, calls: [], finish: 'stop' });
    expect(await ask()).toMatchObject({ finish: 'length', usage: { promptTokens: 7, completionTokens: 3 } });
    expect(model.requests().map(({ messages }) => messages)).toEqual([[user], [user], [user]]);
  });

  test.each(providers)('plays %s, and gets its fields back', async (as) => {
    await start([{ calls: [{ name: 'add' }, { name: 'add' }] }, { calls: [{ name: 'add' }] }, 'Done.'], {
      as,
      profile: { stream },
    });
    const messages: Message[] = [user];
    for (const _ of [1, 2]) {
      const { message, calls } = await ask(messages);
      const tool_calls = calls.map(({ id, name, extra }) => ({
        ...extra,
        id,
        type: 'function' as const,
        function: { name, arguments: '{}' },
      }));
      messages.push(
        { ...message, tool_calls },
        ...tool_calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '5' })),
      );
    }
    expect(await ask(messages)).toMatchObject({ message: { content: 'Done.' } });
  });
});

test('what it wrote and did not get back is refused', async () => {
  await start([{ calls: [{ name: 'add' }] }, 'Done.'], {
    as: 'gemini',
    profile: { requiredOnFirstCall: {} },
  });
  const { message, calls } = await ask();
  const forgotten: Message = {
    ...message,
    tool_calls: calls.map(({ id }) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' } })),
  };
  await expect(
    ask([user, forgotten, { role: 'tool', tool_call_id: calls[0]!.id, content: '5' }]),
  ).rejects.toThrow(/strict endpoint, as gemini: messages\[1\].*missing a thought_signature/);
});

test('a request that a provider would refuse is refused, seen, and uses no reply up', async () => {
  await start(['Hello.']);
  await expect(ask([user, { role: 'tool', tool_call_id: 'a', content: '5' }])).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/strict endpoint: messages\[1\] \(tool\): no call waits/),
  });
  expect(await ask()).toMatchObject({ message: { content: 'Hello.' } });
  expect(model.requests()).toHaveLength(2);
});

test('a script that is used up says so, and is not asked again', async () => {
  await start(['One.']);
  await ask();
  await expect(ask()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the script is used up: request 2 came, and there is 1 reply'),
  });
});

test('a function answers from the request, in the script and instead of it', async () => {
  await start([({ messages }) => `You asked: ${String(messages.at(-1)?.content)}`]);
  expect(await ask()).toMatchObject({ message: { content: 'You asked: What is 2 + 3?' } });
  await model.stop();
  await start(async (_, index) => ({ text: `Answer ${index}` }));
  await ask();
  expect(await ask()).toMatchObject({ message: { content: 'Answer 1' } });
});

test('a function that throws or returns no reply is told of in a 400', async () => {
  await start([
    () => {
      throw new Error('not like this');
    },
    () => 7 as never,
  ]);
  await expect(ask()).rejects.toThrow(/the script failed at request 1: not like this/);
  await expect(ask()).rejects.toThrow(/the script failed at request 2: what its function returned is 7/);
});

test('an error of the server is one', async () => {
  await start([{ status: 503, message: 'busy', headers: { 'retry-after': '7' } }]);
  await expect(ask()).rejects.toMatchObject({ status: 503, message: expect.stringContaining('busy') });
});

test('a raw reply goes out byte by byte', async () => {
  await start([{ raw: { body: completion({ content: 'As it is.' }) } }], { profile: { stream: false } });
  expect(await ask()).toMatchObject({ message: { content: 'As it is.' } });
});

test('requests can be waited for', async () => {
  await start([{ raw: { end: 'hang' } }]);
  const stop = new AbortController();
  const asked = model.client.complete({ ...request(), signal: stop.signal });
  await model.received(1);
  stop.abort();
  expect(await asked).toMatchObject({ interrupted: true });
});

test.each<[string, unknown, unknown, RegExp]>([
  ['an empty script', [], {}, /give a list with at least one reply/],
  ['a reply that is none', [5], {}, /reply 1 is 5: give a text/],
  ['a reply that says nothing', ['a', {}], {}, /reply 2 says nothing: give text, calls or both/],
  ['an unknown field', [{ content: 'a' }], {}, /reply 1: unknown field "content". Known here: text, calls/],
  ['a call without a name', [{ calls: [{}] }], {}, /calls\[0\].name is undefined/],
  ['a status that is no error', [{ status: 200 }], {}, /status is 200/],
  ['an unknown provider', ['a'], { as: 'claude' }, /as is claude. Known: openai, deepseek, mistral, gemini/],
])('%s is found before anything starts', async (_, script, options, message) => {
  await expect(scriptedModel(script as never, options as never)).rejects.toThrow(message);
});
