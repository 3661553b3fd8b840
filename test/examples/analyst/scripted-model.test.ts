import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { startScriptedAnalyst, type ScriptedAnalyst } from '../../../examples/analyst/scripted-model.ts';

let analyst: ScriptedAnalyst;
let client: OpenAI;
beforeAll(async () => {
  analyst = await startScriptedAnalyst();
  client = new OpenAI({ baseURL: analyst.url, apiKey: 'none', maxRetries: 0 });
});
afterAll(() => analyst.stop());

const tools: ChatCompletionTool[] = ['search_database', 'describe_database', 'generate_chart'].map(
  (name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  }),
);

interface Reply {
  text: string;
  calls: { id: string; name: string; args: { [name: string]: unknown } }[];
  promptTokens: number;
  completionTokens: number;
}

const say = async (messages: ChatCompletionMessageParam[], withTools = true): Promise<Reply> => {
  const { choices, usage } = await client.chat.completions.create({
    model: 'any',
    messages,
    ...(withTools ? { tools } : {}),
  });
  const { content, tool_calls: calls = [] } = choices[0]!.message;
  return {
    text: content ?? '',
    calls: calls.flatMap((call) =>
      call.type === 'function'
        ? [
            {
              id: call.id,
              name: call.function.name,
              args: JSON.parse(call.function.arguments) as { [name: string]: unknown },
            },
          ]
        : [],
    ),
    promptTokens: usage!.prompt_tokens,
    completionTokens: usage!.completion_tokens,
  };
};

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
let calls = 0;
/** A round of calls with their results. */
const round = (...results: [name: string, result: unknown][]): ChatCompletionMessageParam[] => {
  const ids = results.map(() => `call_${++calls}`);
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: results.map(([name], i) => ({
        id: ids[i]!,
        type: 'function' as const,
        function: { name, arguments: '{}' },
      })),
    },
    ...results.map(([, result], i) => ({
      role: 'tool' as const,
      tool_call_id: ids[i]!,
      content: typeof result === 'string' ? result : JSON.stringify(result),
    })),
  ];
};

const growth = (numbers: { [region: string]: number }): object => ({
  database: 'production',
  rows: Object.entries(numbers)
    .toSorted(([, a], [, b]) => b - a)
    .map(([region, growth_percent]) => ({
      region,
      growth_percent,
      from_year: 1955,
      to_year: 2005,
      countries: 4,
      population_from: 10_000_000,
      population_to: 10_000_000 + growth_percent * 100_000,
    })),
});

describe('Which region grew fastest?', () => {
  const question = user('Which region grew fastest?');

  test('asks the database, draws the rows, answers with the numbers and the path', async () => {
    const first = await say([question]);
    expect(first.calls).toMatchObject([{ name: 'search_database', args: { database: 'production' } }]);
    expect(first.text).not.toBe('');

    const found = round(['search_database', growth({ Asia: 120.5, Africa: 263.2 })]);
    const second = await say([question, ...found]);
    expect(second.calls).toMatchObject([
      {
        name: 'generate_chart',
        args: {
          kind: 'bar',
          x: 'region',
          y: 'growth_percent',
          data: [
            { region: 'Africa', growth_percent: 263.2 },
            { region: 'Asia', growth_percent: 120.5 },
          ],
        },
      },
    ]);

    const third = await say([
      question,
      ...found,
      ...round(['generate_chart', { path: 'charts/growth.svg' }]),
    ]);
    expect(third.calls).toEqual([]);
    expect(third.text).toContain('Africa grew fastest: its population rose by 263.2 % from 1955 to 2005');
    expect(third.text).toContain('from 10 million to 36.3 million people');
    expect(third.text).toContain('Asia (120.5 %)');
    expect(third.text).toContain('charts/growth.svg');
  });

  test('one changed row changes both the chart and the answer', async () => {
    const found = round(['search_database', growth({ Asia: 500, Africa: 263.2 })]);
    const chart = await say([question, ...found]);
    expect(chart.calls[0]!.args.data).toEqual([
      { region: 'Asia', growth_percent: 500 },
      { region: 'Africa', growth_percent: 263.2 },
    ]);
    const answer = await say([question, ...found, ...round(['generate_chart', { path: 'c.svg' }])]);
    expect(answer.text).toContain('Asia grew fastest: its population rose by 500 %');
  });

  test('a year in the question bounds the query', async () => {
    const { calls: asked } = await say([user('Which region grew fastest since 1980?')]);
    expect(asked[0]!.args.query).toContain('year >= 1980');
  });

  test('a remark behind the JSON of a result is no obstacle', async () => {
    const text = `${JSON.stringify(growth({ Asia: 1 }))}\n[This is the third identical call {of 5}]`;
    expect((await say([question, ...round(['search_database', text])])).calls[0]!.name).toBe(
      'generate_chart',
    );
  });

  test('a query that failed is told in its own words', async () => {
    const { text, calls: asked } = await say([
      question,
      ...round([
        'search_database',
        'ToolError: The query took too long and was stopped.\nHint: Ask for less.',
      ]),
    ]);
    expect(asked).toEqual([]);
    expect(text).toBe('The query failed: ToolError: The query took too long and was stopped.');
  });

  test('a chart that failed leaves the answer and says so', async () => {
    const { text } = await say([
      question,
      ...round(['search_database', growth({ Asia: 1 })]),
      ...round(['generate_chart', 'Error: no space left on device']),
    ]);
    expect(text).toContain('Asia grew fastest');
    expect(text).toContain('The chart failed: Error: no space left on device');
  });

  test('no rows and a result that was cut are said', async () => {
    expect((await say([question, ...round(['search_database', { rows: [] }])])).text).toContain('no rows');
    const cut = '{"rows":[{"a"...[truncated, full result stored in cache]';
    expect((await say([question, ...round(['search_database', cut])])).text).toContain(
      'more than I can read',
    );
  });

  test('a request without tools gets an answer from what is there', async () => {
    const note = user('The budget is used up. Answer now.');
    const found = round(['search_database', growth({ Asia: 1 })]);
    const { text, calls: asked } = await say([question, ...found, note], false);
    expect(asked).toEqual([]);
    expect(text).toContain('Asia grew fastest');
    expect((await say([question, note], false)).text).toContain('no chance');
  });
});

describe('Which country has the highest life expectancy?', () => {
  const question = user('Which country has the highest life expectancy?');
  const error = round(['search_database', 'ToolError: Relation "world.country_stats" does not exist.']);
  const schema = (table: string): ChatCompletionMessageParam[] =>
    round([
      'describe_database',
      {
        tables: [
          { table: 'a.b', columns: ['x text'] },
          { table, columns: ['country_id integer', 'year integer', 'life_expectancy numeric - years'] },
        ],
      },
    ]);

  test('names a wrong table, reads the error, looks at the schema, asks the table found there, answers', async () => {
    const wrong = await say([question]);
    expect(wrong.calls[0]!.args.query).toContain('world.country_stats');
    expect((await say([question, ...error])).calls).toMatchObject([{ name: 'describe_database' }]);
    const right = await say([question, ...error, ...schema('world.measurements')]);
    expect(right.calls[0]!.args.query).toContain('FROM world.measurements i');
    const rows = [
      { country: 'Japan', year: 2005, life_expectancy: 82.5 },
      { country: 'Iceland', year: 2005, life_expectancy: 81.6 },
    ];
    const answer = await say([question, ...error, ...schema('w.m'), ...round(['search_database', { rows }])]);
    expect(answer.text).toContain('Japan has the highest life expectancy: 82.5 years in 2005.');
    expect(answer.text).toContain('Iceland (81.6)');
    expect(answer.text).toContain('My first query named a table that does not exist');
  });

  test('says what failed when the schema or the second query fails', async () => {
    const noSchema = round(['describe_database', 'Error: gone']);
    expect((await say([question, ...error, ...noSchema])).text).toBe(
      'Describing the database failed: Error: gone',
    );
    const again = round(['search_database', 'ToolError: still wrong']);
    expect((await say([question, ...error, ...schema('w.m'), ...again])).text).toBe(
      'The query failed: ToolError: still wrong',
    );
  });
});

describe('How far is staging behind production?', () => {
  const question = user('How far is staging behind production?');
  const of = (database: string, latest_year: number, measurements: number): [string, unknown] => [
    'search_database',
    { database, rows: [{ latest_year, measurements, countries: 62, population: 5.1e9 }] },
  ];

  test('asks both databases in one reply and compares the results, whatever their order', async () => {
    const { calls: asked } = await say([question]);
    expect(asked.map(({ args }) => args.database)).toEqual(['production', 'staging']);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
    for (const results of [
      round(of('production', 2005, 682), of('staging', 1995, 558)),
      round(of('staging', 1995, 558), of('production', 2005, 682)),
    ]) {
      const { text } = await say([question, ...results]);
      expect(text).toContain('Staging is 10 years behind: it ends in 1995, production in 2005.');
      expect(text).toContain('Staging lacks 124 measurements.');
    }
  });

  test('says that nothing differs when nothing does, and what failed when one query did', async () => {
    const same = round(of('production', 2005, 682), of('staging', 2005, 682));
    expect((await say([question, ...same])).text).toContain('Staging is up to date');
    const broken = round(of('production', 2005, 682), ['search_database', 'ToolError: no such table']);
    expect((await say([question, ...broken])).text).toBe(
      'One of the two queries failed: ToolError: no such table',
    );
  });
});

describe('questions', () => {
  test('are known whatever their case, spaces and punctuation', async () => {
    for (const text of [
      '  which REGION\n grew   fastest ',
      '"Which region grew the fastest?!"',
      'Which region grew fastest…',
    ])
      expect((await say([user(text)])).calls[0]?.name).toBe('search_database');
  });

  test('may come as parts or joined with others; the last one counts', async () => {
    const parts = await say([
      { role: 'user', content: [{ type: 'text', text: 'Which region grew fastest?' }] },
    ]);
    expect(parts.calls[0]!.name).toBe('search_database');
    const joined = await say([user('Hello there.\n\nHow far is staging behind production?')]);
    expect(joined.calls).toHaveLength(2);
  });

  test('later in a conversation start anew, whatever was answered before', async () => {
    const before = [
      user('Which region grew fastest?'),
      ...round(['search_database', growth({ Asia: 1 })]),
      { role: 'assistant' as const, content: 'Asia.' },
    ];
    expect((await say([...before, user('And since 1980?')])).calls[0]!.args.query).toContain('year >= 1980');
    expect((await say([...before, user('How far is staging behind production?')])).calls).toHaveLength(2);
  });

  test('without a script get the list of those that have one', async () => {
    const { text, calls: asked } = await say([user('What is the meaning of life?')]);
    expect(asked).toEqual([]);
    expect(text).toContain('has no script for "What is the meaning of life?"');
    for (const question of analyst.scripts) expect(text).toContain(`- ${question}`);
    expect(text).toContain('OPENAI_API_KEY');
  });

  test('each listed one is played', async () => {
    expect(analyst.scripts.length).toBeGreaterThanOrEqual(3);
    for (const question of analyst.scripts) expect((await say([user(question)])).calls).not.toEqual([]);
  });
});

test('the same request gets the same calls, so a repeated one does no harm', async () => {
  const withoutIds = ({ calls: asked, ...reply }: Reply): unknown => [
    reply,
    asked.map(({ name, args }) => [name, args]),
  ];
  const request = [user('Which region grew fastest?')];
  expect(withoutIds(await say(request))).toEqual(withoutIds(await say(request)));
});

test('usage grows with the conversation', async () => {
  const question = user('Which region grew fastest?');
  const first = await say([question]);
  const second = await say([question, ...round(['search_database', growth({ Asia: 1, Africa: 2 })])]);
  expect(first.completionTokens).toBeGreaterThan(50);
  expect(second.promptTokens).toBeGreaterThan(first.promptTokens + 50);
});

test('streams text and calls in pieces, with usage at the end', async () => {
  const stream = await client.chat.completions.create({
    model: 'any',
    messages: [user('How far is staging behind production?')],
    tools,
    stream: true,
    stream_options: { include_usage: true },
  });
  const args = new Map<number, string>();
  let [text, pieces, finish, tokens] = ['', 0, '', 0];
  for await (const { choices, usage } of stream) {
    tokens = usage?.completion_tokens ?? tokens;
    const choice = choices[0];
    if (choice?.delta.content) [text, pieces] = [text + choice.delta.content, pieces + 1];
    for (const call of choice?.delta.tool_calls ?? [])
      args.set(call.index, (args.get(call.index) ?? '') + (call.function?.arguments ?? ''));
    finish = choice?.finish_reason ?? finish;
  }
  expect(text).toContain('I ask both databases');
  expect(pieces).toBeGreaterThan(1);
  expect([...args.values()].map((json) => (JSON.parse(json) as { database: string }).database)).toEqual([
    'production',
    'staging',
  ]);
  expect([finish, tokens > 0]).toEqual(['tool_calls', true]);
});
