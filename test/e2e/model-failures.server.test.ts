import type { Limits, Message, RunResult } from '../../src/contract.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { completion, type RawEndpoint, type RawReply } from '../../src/testing/raw-endpoint.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { startRuntime, type Runtime } from './harness.ts';

const agent = defineAgent({ name: 'talker', instructions: 'You talk.', model: 'any', tools: [] });

type Reply = RawReply | ((run: RunHandle) => RawReply | Promise<RawReply>);

interface Scenario {
  /** What the endpoint says to each request in turn; the last one answers all that follow. */
  replies: Reply[];
  limits?: Partial<Limits>;
}

interface Played {
  result: RunResult;
  transcript: Message[];
  /** When each request arrived, in ms since the epoch. */
  arrivals: number[];
  /** Model requests as the run asked them, in order. */
  requests: Message[][];
}

interface Running extends Pick<Played, 'arrivals'> {
  run: Promise<RunHandle>;
  endpoint: RawEndpoint;
}

const scenarios: Scenario[] = [];

/** A fact about one run. All runs start together, so that their waits overlap. */
function fact(title: string, scenario: Scenario, check: (played: Played) => void): void {
  const index = scenarios.push(scenario) - 1;
  test(title, async () => {
    const { run, arrivals, endpoint } = running[index]!;
    const result = await (await run).result();
    const requests = endpoint.requests.map(({ body }) => body['messages'] as Message[]);
    check({ result, transcript: await (await run).transcript(), arrivals, requests });
  });
}

let running: Running[];
let runtime: Runtime;

function start({ replies, limits }: Scenario): Running {
  const arrivals: number[] = [];
  const { model, endpoint } = runtime.playRaw(async () => {
    const reply = replies[Math.min(arrivals.push(Date.now()), replies.length) - 1]!;
    return typeof reply === 'function' ? await reply(await run) : reply;
  });
  const { taskQueue } = runtime;
  const run = runtime.client.start('talker', 'Hello?', { taskQueue, model, ...(limits && { limits }) });
  return { run, arrivals, endpoint };
}

beforeAll(async () => {
  runtime = await startRuntime({ agents: [agent], profile: { stream: false } });
  running = scenarios.map((scenario) => start(scenario));
});
afterAll(() => runtime.stop());

const answer: RawReply = {
  body: completion({ content: 'Hello!' }, 'stop', {
    prompt_tokens: 11,
    completion_tokens: 3,
    total_tokens: 14,
  }),
};
const failure = (status: number, error: Record<string, unknown>, headers = {}): RawReply => ({
  status,
  headers,
  body: { error: { message: 'the-error-text', ...error } },
});
const busy = failure(503, {});
const onceOnly = { requests: 0, failedRequests: 1 };
const gap = ({ arrivals }: Played): number => arrivals[1]! - arrivals[0]!;

describe('a model that fails for a while', () => {
  fact(
    'a 503 and a reset connection are tried again, and only the answer counts as usage',
    { replies: [busy, { end: 'reset' }, answer] },
    ({ result, requests, transcript }) => {
      expect(result).toMatchObject({ text: 'Hello!', stopReason: 'completed', iterations: 1 });
      expect(result.usage).toMatchObject({
        requests: 1,
        failedRequests: 2,
        promptTokens: 11,
        completionTokens: 3,
        estimated: false,
      });
      expect(requests).toHaveLength(3);
      expect(requests[2]).toEqual(requests[0]);
      expect(transcript.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    },
  );

  fact(
    'Retry-After in seconds is waited for',
    { replies: [failure(429, {}, { 'retry-after': '2' }), answer] },
    (played) => {
      expect(played.result.stopReason).toBe('completed');
      expect(played.arrivals).toHaveLength(2);
      expect(gap(played)).toBeGreaterThanOrEqual(2_000);
    },
  );

  fact(
    'retry-after-ms is waited for and goes before retry-after',
    { replies: [failure(429, {}, { 'retry-after-ms': '1600', 'retry-after': '300' }), answer] },
    (played) => {
      expect(played.result.stopReason).toBe('completed');
      expect(played.arrivals).toHaveLength(2);
      expect(gap(played)).toBeGreaterThanOrEqual(1_600);
    },
  );

  let date = '';
  fact(
    'Retry-After as an HTTP date is waited for',
    {
      replies: [
        () => {
          date = new Date(Date.now() + 3_000).toUTCString();
          return failure(429, {}, { 'retry-after': date });
        },
        answer,
      ],
    },
    ({ result, arrivals }) => {
      expect(result.stopReason).toBe('completed');
      expect(arrivals).toHaveLength(2);
      expect(arrivals[1]).toBeGreaterThanOrEqual(Date.parse(date));
    },
  );

  fact(
    'Retry-After: 0 on every failure is obeyed once, then there is a pause of a second',
    { replies: [...Array(3).fill(failure(429, {}, { 'retry-after': '0' })), answer] },
    ({ result, arrivals }) => {
      expect(result.stopReason).toBe('completed');
      expect(arrivals).toHaveLength(4);
      expect(arrivals[2]! - arrivals[1]!).toBeGreaterThanOrEqual(1_000);
      expect(arrivals[3]! - arrivals[2]!).toBeGreaterThanOrEqual(1_000);
    },
  );

  fact(
    'a reply that its provider broke off with finish reason error is asked for again',
    { replies: [{ body: completion({ content: 'half of an' }, 'error') }, answer] },
    ({ result, transcript }) => {
      expect(result).toMatchObject({ text: 'Hello!', stopReason: 'completed' });
      expect(result.usage).toMatchObject({ requests: 1, failedRequests: 1 });
      expect(JSON.stringify(transcript)).not.toContain('half of an');
    },
  );
});

describe('a model that fails for good', () => {
  fact(
    'a Retry-After that does not fit modelOutageWaitMs ends the wait at once',
    {
      replies: [failure(429, {}, { 'retry-after': '3600' }), answer],
      limits: { modelOutageWaitMs: 60_000 },
    },
    ({ result, arrivals }) => {
      expect(result).toMatchObject({ stopReason: 'error', text: '', usage: onceOnly });
      expect(result.error?.type).toBe('rate_limited');
      expect(result.error?.message).toMatch(/next try would be in 3600 s: modelOutageWaitMs is 60000/);
      expect(arrivals).toHaveLength(1);
    },
  );

  fact(
    'an outage longer than modelOutageWaitMs ends with an error that says how long it lasted',
    { replies: [busy], limits: { modelOutageWaitMs: 2_500 } },
    ({ result, arrivals }) => {
      expect(result).toMatchObject({ stopReason: 'error', error: { type: 'overloaded' } });
      expect(result.error?.message).toMatch(/503.*failing for \d+ s.*modelOutageWaitMs is 2500/);
      expect(arrivals).toHaveLength(2);
      expect(result.usage).toMatchObject({ requests: 0, failedRequests: 2 });
    },
  );

  fact(
    'an endpoint that never answers is given up after modelCallTimeoutMs',
    { replies: [{ end: 'hang' }], limits: { modelCallTimeoutMs: 3_000, modelOutageWaitMs: 0 } },
    ({ result, arrivals }) => {
      expect(result).toMatchObject({ stopReason: 'error', error: { type: 'timeout' }, usage: onceOnly });
      expect(result.error?.message).toContain('within 3000 ms');
      expect(arrivals).toHaveLength(1);
    },
  );

  fact(
    'a page of HTML with status 200 is tried three times',
    { replies: [{ headers: { 'content-type': 'text/html' }, body: '<html><body>Sign in</body></html>' }] },
    ({ result, arrivals }) => {
      expect(result).toMatchObject({ stopReason: 'error', error: { type: 'bad_reply' } });
      expect(result.error?.message).toMatch(/Sign in.*given up after 3 tries/);
      expect(arrivals).toHaveLength(3);
      expect(result.usage).toMatchObject({ requests: 0, failedRequests: 3 });
    },
  );

  fact(
    'a 400 is asked once, and its text stands in the error but not in the transcript',
    { replies: [failure(400, {}), answer] },
    ({ result, arrivals, transcript }) => {
      expect(arrivals).toHaveLength(1);
      expect(result).toMatchObject({ stopReason: 'error', text: '', error: { type: 'model_refused' } });
      expect(result.error?.message).toContain('the-error-text');
      expect(JSON.stringify(transcript)).not.toContain('the-error-text');
      expect(transcript.at(-1)).toMatchObject({ role: 'assistant', placeholder: true });
    },
  );

  fact(
    'a 401 is asked once and says what to check',
    { replies: [failure(401, {}), answer] },
    ({ result, arrivals }) => {
      expect(arrivals).toHaveLength(1);
      expect(result).toMatchObject({ stopReason: 'error', error: { type: 'unauthorized' } });
      expect(result.error?.message).toContain('check the API key');
    },
  );

  const emptyAccounts: [string, RawReply][] = [
    ['a 429 with code insufficient_quota', failure(429, { code: 'insufficient_quota' })],
    ['a 402', failure(402, {})],
  ];
  for (const [what, reply] of emptyAccounts) {
    fact(
      `${what} is asked once and says that the account is empty`,
      { replies: [reply, answer] },
      ({ result, arrivals }) => {
        expect(arrivals).toHaveLength(1);
        expect(result).toMatchObject({ stopReason: 'error', error: { type: 'insufficient_quota' } });
        expect(result.error?.message).toContain('the account is empty');
      },
    );
  }

  fact(
    "the HTTP client's own retries are off, whatever the provider asks of it",
    {
      replies: [failure(503, {}, { 'x-should-retry': 'true', 'retry-after-ms': '10' })],
      limits: { modelOutageWaitMs: 0 },
    },
    ({ result, arrivals }) => {
      expect(arrivals).toHaveLength(1);
      expect(result).toMatchObject({ stopReason: 'error', usage: onceOnly });
    },
  );

  fact(
    'an error with a waiting message goes on with that message',
    {
      replies: [
        async (run) => {
          await run.send('Still there?');
          return failure(400, {});
        },
        answer,
      ],
    },
    ({ result, requests, transcript }) => {
      expect(result).toMatchObject({ text: 'Hello!', stopReason: 'completed', turns: 1, iterations: 2 });
      expect(result.error).toBeUndefined();
      expect(requests).toHaveLength(2);
      expect(JSON.stringify(requests[1]?.at(-1))).toContain('Still there?');
      expect(JSON.stringify([requests[1], transcript])).not.toContain('the-error-text');
    },
  );
});
