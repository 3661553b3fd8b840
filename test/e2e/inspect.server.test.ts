import { z } from 'zod';
import type { LogEntry } from '../../src/core/log.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { defineAgent } from '../../src/tools/define-agent.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { startRuntime, type Runtime } from './harness.ts';
import { hold, inHand } from './held-tool.ts';
import { activitiesOf, eventsOf } from './history.ts';
import { until } from './until.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Returns its text.',
  parameters: z.object({ text: z.string() }),
  readOnly: true,
  execute: ({ text }) => text,
});
const agent = defineAgent({ name: 'ender', instructions: 'You end.', model: 'none', tools: [hold, echo] });

describe('a run', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await startRuntime({ agents: [agent] });
  });
  afterAll(() => runtime.stop());

  const start = (model: string, options = {}): Promise<RunHandle> =>
    runtime.client.start('ender', 'Begin.', { taskQueue: runtime.taskQueue, model, ...options });

  test('answers state, transcript and events while it runs and after, its events without gaps', async () => {
    const script = runtime.play([
      { content: 'I wait.', toolCalls: [{ id: 'w', name: 'hold', arguments: '{"id":"e3"}' }] },
      { content: 'Waited.' },
    ]);
    const run = await start(script.model, { metadata: { who: 'me' } });
    const followed: LogEntry[] = [];
    const following = (async () => {
      for await (const entry of run.events()) followed.push(entry);
    })();
    await until('the tool runs', () => inHand.has('e3'));
    expect(await run.state()).toMatchObject({
      agent: 'ender',
      phase: 'running',
      turn: 1,
      iteration: 1,
      calls: [{ index: 0, id: 'w', name: 'hold', status: 'running' }],
      waitingMessages: 0,
      messages: 3,
    });
    expect((await run.transcript()).map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    inHand.get('e3')?.end();
    await run.result();
    await following;
    expect(followed.map(({ seq }) => seq)).toEqual(followed.map((_, i) => i + 1));
    expect(followed.map(({ kind }) => kind)).toEqual([
      'turn-started',
      'model-started',
      'model-replied',
      'call-started',
      'call-settled',
      'model-started',
      'model-replied',
      'turn-ended',
    ]);
    const rest: LogEntry[] = [];
    for await (const entry of run.events({ from: 6 })) rest.push(entry);
    expect(rest).toEqual(followed.slice(6));
    expect(await run.state()).toMatchObject({
      phase: 'idle',
      events: followed.length,
      ended: { stopReason: 'completed', text: 'Waited.' },
    });
    const [system, user, assistant, tool, answer] = await run.transcript();
    expect([system?.content, user?.content, assistant?.content, tool?.content, answer?.content]).toEqual([
      'You end.',
      'Begin.',
      'I wait.',
      'held e3',
      'Waited.',
    ]);
  });

  test('reads well in the Temporal UI: summaries of its activities, and details by thought, action, observation', async () => {
    const wide = '…Wörter 漢字 👍 '.repeat(60);
    const script = runtime.play([
      { content: 'Let me echo.', toolCalls: [{ name: 'echo', arguments: JSON.stringify({ text: wide }) }] },
      { content: 'There it is.' },
    ]);
    const run = await start(script.model, { title: 'What the UI shows' });
    await run.result();
    const activities = activitiesOf(await eventsOf(run));
    expect(activities.map(({ type }) => type)).toEqual([
      'turnloop.openTurn',
      'turnloop.callModel',
      'echo',
      'turnloop.callModel',
    ]);
    const summaries = activities.map(({ summary }) => JSON.parse(summary) as string);
    expect(summaries[0]).toBe('turn 1');
    expect(summaries[1]).toBe('turn 1 · iteration 1');
    expect(summaries[2]).toMatch(/^\{"text":"…Wörter 漢字 👍 .*…$/u);
    expect(summaries[2]?.isWellFormed()).toBe(true);
    expect(summaries[3]).toBe('turn 1 · iteration 2');
    for (const summary of summaries) expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(200);
    const { staticSummary } = await run.temporal.describe().then(async (description) => ({
      staticSummary: await description.staticSummary(),
    }));
    expect(staticSummary).toBe('What the UI shows');
    const details = await currentDetails(run);
    const lines = details.split('\n').filter((line) => line.startsWith('- '));
    expect(lines.map((line) => line.slice(0, 16))).toEqual([
      '- **turn 1**',
      '- thought: Let m',
      '- action: echo {',
      '- observation: e',
      '- thought: There',
      '- **completed** ',
    ]);
    expect(details.length).toBeLessThan(10_000);
  });
});

/** Temporal's own query for what the UI shows above a run. */
async function currentDetails(run: RunHandle): Promise<string> {
  const metadata = await run.temporal.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
