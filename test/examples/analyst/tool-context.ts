import type { Tool, ToolContext } from '../../../src/index.ts';
import type { JsonObject } from '../../../src/contract.ts';

const silent = (): void => undefined;

/** Calls a tool's function as its activity does, without one. */
export async function callTool(
  tool: Tool,
  args: JsonObject,
  context: Partial<ToolContext> = {},
): Promise<unknown> {
  return await tool.spec.execute(
    args as never,
    {
      callId: 'call_1',
      runId: 'run',
      rootRunId: 'root',
      idempotencyKey: 'key',
      attempt: 1,
      signal: new AbortController().signal,
      heartbeat: silent,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      ...context,
    } as ToolContext,
  );
}

/** What a call that must fail was refused with. */
export async function failureOf(
  call: Promise<unknown>,
): Promise<{ name: string; message: string; hint: string }> {
  try {
    await call;
  } catch (error) {
    return error as { name: string; message: string; hint: string };
  }
  throw new Error('the call succeeded');
}
