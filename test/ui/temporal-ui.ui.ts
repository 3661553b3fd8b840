import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { defaultQuestion as question, scripts } from '../../examples/analyst/scripts.ts';
import { runLink } from '../../src/cli/run-link.ts';
import { replayHistory } from '../../src/replay.ts';
import type { RunHandle } from '../../src/client/run-handle.ts';
import { until } from '../e2e/until.ts';
import { openBrowser } from './browser.ts';
import { takePicture } from './picture.ts';
import { openStage, type Stage } from './stage.ts';

/*
 * The Temporal UI as a person uses it on the analyst's runs. One conversation stays open through all tests; each test
 * comes to it by itself.
 */
const conversation = 'growth-by-region';

let stage: Stage;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Page;
let run: RunHandle;

beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
  for (const [at, other] of scripts.filter((script) => script.question !== question).entries()) {
    const one = await stage.client.start('analyst', other.question, { id: `question-${at + 1}` });
    await one.result();
  }
  run = await stage.client.start('analyst', question, { id: conversation, keepOpenMs: 3_600_000 });
  await waitForTurns(1);
});
afterAll(async () => {
  await browser?.close();
  await stage?.stop();
});
beforeEach(async () => {
  page = await browser.context.newPage();
});
afterEach(() => page.close());

const waitForTurns = (count: number) =>
  until(`${count} turn(s) have ended`, async () => {
    const { items } = await run.temporal.query<{ items: { kind: string }[] }, [number]>('events', 0);
    return items.filter(({ kind }) => kind === 'turn-ended').length >= count;
  });

async function openRun(): Promise<void> {
  const { runId } = await run.temporal.describe();
  await page.goto(runLink(stage.server, { id: run.id, runId })!);
  await page.getByRole('button', { name: 'Download' }).waitFor();
}

/** Waits until a text is shown, in the page itself or in one of its frames (the UI shows Markdown in frames). */
async function shows(text: string): Promise<void> {
  await until(`the page shows ${JSON.stringify(text)}`, async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .getByText(text)
        .filter({ visible: true })
        .count()
        .catch(() => 0); // a frame may go while it is asked
      if (found > 0) return true;
    }
    return false;
  });
}

test('a run is found in the list by its workflow id', async () => {
  await page.goto(`${stage.server.uiUrl}/namespaces/${stage.server.namespace}/workflows`);
  await page.getByRole('link', { name: 'question-2' }).waitFor();
  await takePicture(page, 'ui-runs');
  await page.getByRole('button', { name: 'Add Filter' }).click();
  await page.getByRole('menuitem', { name: /^WorkflowId/ }).click();
  await page.getByPlaceholder('Enter value...').fill(conversation);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'question-2' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: conversation }).first().click();
  await page.waitForURL(/\/workflows\/growth-by-region\/.+\/history/);
  await shows('agentWorkflow');
});

test('the history shows each tool by its name, with a summary of what it was asked', async () => {
  await openRun();
  await shows('search_database');
  await shows('generate_chart');
  await shows('turnloop.callModel');
  await shows('turn 1 · iteration 3');
  await takePicture(page, 'ui-history');
});

test('the metadata of a run show its question and its thoughts, actions and observations', async () => {
  await openRun();
  await page.getByText('User Metadata').click();
  await shows(question);
  await shows('thought: I compare the population of each region');
  await shows('action: search_database');
  await shows('observation: search_database ok');
  await shows('completed after 3 iteration(s)');
  await takePicture(page, 'ui-details');
});

test('a history downloaded from the UI replays against the code', async () => {
  await openRun();
  await page.getByRole('button', { name: 'Download' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Encoded', { exact: true }).waitFor();
  await takePicture(page, 'ui-download');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = join(stage.folder, 'history.json');
  await (await downloading).saveAs(file);
  const history = JSON.parse(await readFile(file, 'utf8')) as { events: unknown[] };
  expect(history.events.length).toBeGreaterThan(30);
  expect(await replayHistory(history, stage.workflowBundle)).toEqual({
    ok: true,
    events: history.events.length,
  });
});

test("a bare text typed into the UI's signal form is a message that the agent answers", async () => {
  await openRun();
  await page.getByRole('button', { name: 'More Actions' }).first().click();
  await page.getByRole('menuitem', { name: 'Send a Signal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByTestId('signal-select-button').click();
  await dialog.getByRole('option', { name: /^inject/ }).click();
  await dialog.getByRole('textbox').last().click();
  // As if pasted: typed key by key, the editor would add a closing quote of its own.
  await page.keyboard.insertText('"And since 1980?"');
  await takePicture(page, 'ui-signal');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await waitForTurns(2);
  const transcript = await run.transcript();
  expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    question,
    'And since 1980?',
  ]);
  expect(String(transcript.at(-1)?.content)).toMatch(/grew fastest.* from 1980 to 2005/);
});
