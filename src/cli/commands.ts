import type { Command } from './command.ts';
import { ask } from './commands/ask.ts';
import { cancel } from './commands/cancel.ts';
import { completionCommand } from './commands/completion.ts';
import { dev } from './commands/dev.ts';
import { ls } from './commands/ls.ts';
import { replay } from './commands/replay.ts';
import { run } from './commands/run.ts';
import { send } from './commands/send.ts';
import { start } from './commands/start.ts';
import { state } from './commands/state.ts';
import { tools } from './commands/tools.ts';
import { transcript } from './commands/transcript.ts';
import { watch } from './commands/watch.ts';
import { worker } from './commands/worker.ts';

const named = [start, dev, worker, tools, run, send, ask, watch, state, transcript, ls, cancel, replay];

/** Every command, in the order of the overview. Each loads what it needs when it runs, so that `--help` is quick. */
export const commands: readonly Command[] = [...named, completionCommand(named)];
