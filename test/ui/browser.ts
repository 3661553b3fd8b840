import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

/** Debian's place for it; `CHROMIUM_PATH` names another. */
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Nothing may leave this machine: the UI comes from the server itself. */
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Longest wait for something to show, in ms. */
const showMsMax = 30_000;

/** A headless Chromium with a new profile. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  if (!existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath}: apt-get install chromium, or set CHROMIUM_PATH to one.`,
    );
  const profile = await mkdtemp(join(tmpdir(), 'turnloop-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args,
    headless: true,
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(showMsMax);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
