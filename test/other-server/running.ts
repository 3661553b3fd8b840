import type { OtherServer } from './other-server.ts';

/** What the global setup started and the global teardown ends; both run in the same process. */
const key = Symbol.for('turnloop.test.other-server');
const holder = globalThis as unknown as { [key]?: { server?: OtherServer } };
export const running = (holder[key] ??= {});
