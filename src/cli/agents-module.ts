import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Agent } from '../tools/define-agent.ts';
import { reason } from '../server/reason.ts';
import type { AgentWorkerOptions } from '../worker.ts';

/** What a module has to export for `turnloop worker`, `dev`, `start` and `tools`; all but `agents` may be absent. */
export interface AgentsModule {
  /** `turnloop start` asks the first one. */
  agents: Agent[];
  /** Further options of the worker: model clients, a store, a task queue … */
  worker?: Omit<AgentWorkerOptions, 'agents' | 'connection' | 'namespace'>;
  /** Asked when `turnloop start` names no question. */
  question?: string;
  /** Lines that say what the agents work with, shown before the run. */
  about?: string[];
  /** An OpenAI-compatible endpoint that plays the model when none is configured, and the questions it can play. */
  startScriptedModel?(): Promise<{ url: string; scripts: string[]; stop(): Promise<void> }>;
  /** Frees what the tools hold open. */
  close?(): Promise<void>;
}

/** The analyst example. It is in the repository only: the package doesn't bring its databases. */
const exampleModule = fileURLToPath(new URL('../../examples/analyst/index.ts', import.meta.url));

const usualNames = ['agents.ts', 'agents.mts', 'agents.js', 'agents.mjs'];

/** Loads the module a command was given, or the usual one. Throws a clear error when it isn't there or has no agents. */
async function loadAgentsModule(path: string | undefined): Promise<AgentsModule> {
  const file = path === undefined ? usualModule() : resolve(path);
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Give one that exports \`agents\`.`);
  let module: Partial<AgentsModule>;
  try {
    module = (await import(pathToFileURL(file).href)) as Partial<AgentsModule>;
  } catch (thrown) {
    throw new Error(`${file} can't be loaded: ${reason(thrown)}${remedyFor(thrown)}`, { cause: thrown });
  }
  const { agents } = module;
  if (!Array.isArray(agents) || agents.length === 0) {
    throw new Error(
      `${file} exports no \`agents\`. Export a list: export const agents = [defineAgent({ … })]`,
    );
  }
  return module as AgentsModule;
}

/** Loads a module for some work, and lets it free what it holds open behind, however the work ended. */
export async function withAgentsModule<T>(
  path: string | undefined,
  work: (module: AgentsModule) => Promise<T>,
): Promise<T> {
  const module = await loadAgentsModule(path);
  try {
    return await work(module);
  } finally {
    await module.close?.();
  }
}

function usualModule(): string {
  const file = [...usualNames.map((name) => resolve(name)), exampleModule].find((each) => existsSync(each));
  if (file !== undefined) return file;
  throw new Error(
    `No agents: there is no ${usualNames.join(', ')} in this folder. Give the file that exports \`agents\`.`,
  );
}

/** Node strips types and does no more (https://nodejs.org/api/typescript.html). */
function remedyFor(thrown: unknown): string {
  const { code } = thrown as { code?: unknown };
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return '. Node runs TypeScript by stripping types: no enum, namespace or parameter property; or compile the file first.';
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_IMPORT_NOT_FOUND')
    return '. Relative imports end in the extension of the file (./tools.ts); packages have to be installed.';
  return '';
}
