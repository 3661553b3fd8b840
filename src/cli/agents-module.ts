import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Agent } from '../tools/define-agent.ts';
import { reason } from '../server/reason.ts';
import { UsageError } from './command.ts';

/** What a module has to export for `turnloop start` and `turnloop tools`; all but `agents` may be absent. */
export interface AgentsModule {
  /** The first one is asked. */
  agents: Agent[];
  /** Asked when the command names no question. */
  question?: string;
  /** Lines that say what the agents work with, shown before the run. */
  about?: string[];
  /** An OpenAI-compatible endpoint that plays the model when none is configured, and the questions it can play. */
  startScriptedModel?(): Promise<{ url: string; scripts: string[]; stop(): Promise<void> }>;
  /** Frees what the tools hold open. */
  close?(): Promise<void>;
}

/** The analyst example of this repository. */
const exampleModule = fileURLToPath(new URL('../../examples/analyst/index.ts', import.meta.url));

/** Loads the module a command was given, or the example. Throws a clear error when it isn't there or has no agents. */
export async function loadAgentsModule(path: string | undefined): Promise<AgentsModule> {
  const file = path === undefined ? exampleModule : resolve(path);
  if (!existsSync(file))
    throw new UsageError(`There is no file ${file}. Give one that exports \`agents\`: --agents <file>`);
  let module: Partial<AgentsModule>;
  try {
    module = (await import(pathToFileURL(file).href)) as Partial<AgentsModule>;
  } catch (thrown) {
    throw new Error(`${file} can't be loaded: ${reason(thrown)}`, { cause: thrown });
  }
  const { agents } = module;
  if (!Array.isArray(agents) || agents.length === 0) {
    throw new UsageError(
      `${file} exports no \`agents\`. Export a list: export const agents = [defineAgent({ … })]`,
    );
  }
  return module as AgentsModule;
}
