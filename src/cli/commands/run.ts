import type { StartOptions } from '../../client.ts';
import type { LogEntry } from '../../core/log.ts';
import { checkLimits } from '../../check-limits.ts';
import { defineCommand, UsageError } from '../command.ts';
import { follow } from '../follow.ts';
import { jsonOption, messageArgument, readDuration, readMessage, readPairs } from '../options.ts';
import { runLink } from '../run-link.ts';
import { answerExits, showAnswer } from '../show-answer.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'starts a run of an agent and shows its way to the answer',
  about: [
    'A worker with the agent has to be up (`turnloop worker`, `turnloop dev`). Ctrl-C ends the watching, not the run. With',
    '--keep-open the run waits for further messages behind each turn: `turnloop ask`, `turnloop send`.',
  ],
  args: [{ name: 'agent', help: 'name of the agent' }, messageArgument],
  options: {
    id: { type: 'string', value: 'id', help: "workflow id; default: the agent's name and a random id" },
    'keep-open': {
      type: 'string',
      value: 'duration',
      help: 'wait so long for the next message: 90s, 10m, 1d',
    },
    model: { type: 'string', value: 'model', help: "goes before the agent's model" },
    limit: { type: 'string', value: 'name=n', multiple: true, help: 'such as maxIterations=20; repeatable' },
    metadata: {
      type: 'string',
      value: 'name=text',
      multiple: true,
      help: 'for the instructions; repeatable',
    },
    title: { type: 'string', value: 'text', help: 'shown in lists and the UI; default: the message' },
    'task-queue': { type: 'string', value: 'name', help: 'default: turnloop' },
    detach: { type: 'boolean', help: 'start it, print its id, and go' },
    quiet: { type: 'boolean', help: 'the answer only, no progress' },
    json: jsonOption,
  },
  examples: [
    ['run analyst "Which region grew fastest?"', ''],
    ['run support "Hello" --id customer-42 --keep-open 1d', 'then: turnloop ask customer-42 "…"'],
    ['run analyst - --detach < question.txt', 'reads the message from a file'],
  ],
  exits: answerExits,
  async run({ args: { agent, message }, options }, terminal) {
    const { withAgents } = await import('../with-agents.ts');
    const { out, paint, signal } = terminal;
    const text = await readMessage(message, terminal);
    const startOptions = startOptionsOf(options);
    const json = options.json === true;
    const shown = !json && options.quiet !== true;
    return await withAgents(terminal, async (agents, server) => {
      const started = await agents.start(agent, text, startOptions);
      const { id } = started;
      if (options.detach === true) {
        out(json ? JSON.stringify({ id }) : id);
        return 0;
      }
      if (shown) out(`${paint('bold', 'Run')}  ${runLink(server, { id }) ?? id}\n`);
      try {
        let end: Extract<LogEntry, { kind: 'turn-ended' }> | undefined;
        const until = (entry: LogEntry) => {
          if (entry.kind === 'turn-ended') end = entry;
          return end !== undefined && startOptions.keepOpenMs !== undefined;
        };
        const quiet = { ...terminal, out: () => {} };
        delete quiet.live;
        if (shown || startOptions.keepOpenMs !== undefined)
          await follow(started, shown ? terminal : quiet, { until });
        if (startOptions.keepOpenMs === undefined || end === undefined)
          return showAnswer(await started.result(), { id }, terminal, json);
        const { stopReason, text: answer, iterations, usage, error } = end;
        const code = showAnswer(
          { text: answer, stopReason, iterations, usage, ...(error === undefined ? {} : { error }) },
          { id },
          terminal,
          json,
        );
        if (shown) out(`The run stays open: turnloop ask ${id} "…"`);
        return code;
      } catch (thrown) {
        if (signal.aborted && !json) out(`\nThe run goes on: turnloop watch ${id}`);
        throw thrown;
      }
    });
  },
});

interface RunOptions {
  id?: string | undefined;
  'keep-open'?: string | undefined;
  model?: string | undefined;
  title?: string | undefined;
  'task-queue'?: string | undefined;
  limit?: string[] | undefined;
  metadata?: string[] | undefined;
}

function startOptionsOf(options: RunOptions): StartOptions {
  const { id, model, title, 'task-queue': taskQueue, 'keep-open': keepOpen } = options;
  const given = { id, model, title, taskQueue };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as StartOptions),
    ...(keepOpen === undefined ? {} : { keepOpenMs: readDuration('keep-open', keepOpen) }),
    ...(options.limit === undefined ? {} : { limits: readLimits(options.limit) }),
    ...(options.metadata === undefined ? {} : { metadata: readPairs('metadata', options.metadata) }),
  };
}

function readLimits(pairs: string[]): NonNullable<StartOptions['limits']> {
  const given = Object.entries(readPairs('limit', pairs)).map(([name, text]): [string, unknown] => {
    if (text === 'true' || text === 'false') return [name, text === 'true'];
    return [name, text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)];
  });
  try {
    return checkLimits(Object.fromEntries(given), '--limit');
  } catch (thrown) {
    throw new UsageError((thrown as Error).message);
  }
}
