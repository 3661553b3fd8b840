import type { Server } from '../../src/server/server.ts';

/** What the global setup made and the global teardown takes away; both run in the same process. */
const key = Symbol.for('turnloop.test.suite');
const holder = globalThis as unknown as { [key]?: { server?: Server; folder?: string } };
export const suite = (holder[key] ??= {});
