import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Only on demand into the docs: every run of the suite has other times and ids, and none should change the checkout. */
const folder = join(root, process.env['UPDATE_IMAGES'] === '1' ? 'docs/images' : '.turnloop/images');

/** A page of the docs has to load quickly. */
const imageBytesMax = 200_000;

/** Takes the picture `<name>.png` of what a page shows. `UPDATE_IMAGES=1` puts it into `docs/images`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = await stat(path);
  if (size > imageBytesMax) throw new Error(`${path} has ${size} bytes, more than ${imageBytesMax}.`);
}
