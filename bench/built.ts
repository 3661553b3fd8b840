import type * as Tools from '../src/index.ts';
import type * as OpenAI from '../src/models/openai.ts';
import type * as Worker from '../src/worker.ts';

/*
 * turnloop as a user has it: the modules in `dist` that `npm run bench` builds first. The sources would do the same, but for
 * workflows Temporal's bundler turns TypeScript into ES2017, with helpers that the built code doesn't have.
 */
const load = async <T>(path: string): Promise<T> =>
  (await import(new URL(`../dist/${path}`, import.meta.url).href)) as T;

export const tools = await load<typeof Tools>('index.js');
export const models = await load<typeof OpenAI>('models/openai.js');
export const worker = await load<typeof Worker>('worker.js');
