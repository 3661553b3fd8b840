import type { AssistantMessage, ModelReply, ToolOutcome } from '../contract.ts';
import { ask } from './ask.ts';
import { countedViolation } from './boundaries.ts';
import { admission, budgetUsedUp } from './caps.ts';
import { drain } from './drain.ts';
import { limitsOf } from './limits-of.ts';
import { logged } from './log.ts';
import type { Call, Entry, Run, Turn } from './run.ts';
import { counted, countOf } from './tally.ts';
import { notRunApproval, notRunBudget } from './texts.ts';
import { toolMessage } from './tool-message.ts';

/** Starts the round of a reply's calls; its message is the transcript's last entry. Calls that may not run are settled at once. */
export function beginRound(run: Run, reply: ModelReply, at: number): Run {
  if (!run.turn) return run;
  const limits = limitsOf(run);
  const usedUp = budgetUsedUp(run);
  let turn: Turn = { ...run.turn, emptyInRow: 0, pieces: [] };
  let callsByTool = run.callsByTool;
  let repeats = 0;
  const calls = (reply.message.tool_calls ?? []).map((request, index): Call => {
    const name = request.function.name;
    const planned = reply.plan?.[index] ?? {
      hash: `${name} ${request.function.arguments}`,
      answer: unplanned(name),
    };
    turn = {
      ...turn,
      callsByTool: counted(turn.callsByTool, name),
      callsByHash: counted(turn.callsByHash, planned.hash),
    };
    callsByTool = counted(callsByTool, name);
    const call: Call = {
      ...planned,
      index,
      id: request.id,
      name,
      key: `${turn.n}/${turn.iteration}/${index}`,
    };
    const { refused, repeat, note } = admission(
      call,
      {
        identical: countOf(turn.callsByHash, planned.hash),
        inTurn: countOf(turn.callsByTool, name),
        inRun: countOf(callsByTool, name),
      },
      limits,
    );
    if (repeat) repeats++;
    const answer =
      refused ?? call.answer ?? (usedUp === undefined ? withheld(call) : notRun(notRunBudget(usedUp)));
    return {
      ...call,
      ...(answer === undefined ? {} : { outcome: answer }),
      ...(note === undefined ? {} : { note }),
    };
  });
  turn = {
    ...turn,
    repeatRounds: repeats === calls.length ? turn.repeatRounds + 1 : 0,
    phase: { at: 'running', message: reply.message, calls },
  };
  const begun = calls.reduce(
    (next, call) => (call.outcome ? loggedOutcome(next, call, call.outcome, at) : next),
    { ...run, turn, callsByTool } as Run,
  );
  return finishRound(begun, at);
}

export function startCall(run: Run, index: number, at: number): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'running') return run;
  const { calls, message } = turn.phase;
  const call = calls[index];
  if (!call || call.outcome) return run;
  return {
    ...withCall(run, turn, message, calls, { ...call, started: true }),
    log: logged(run.log, at, turn.n, {
      kind: 'call-started',
      iteration: turn.iteration,
      index,
      id: call.id,
      name: call.name,
      arguments: call.args
        ? JSON.stringify(call.args)
        : (message.tool_calls?.[index]?.function.arguments ?? '{}'),
    }),
  };
}

/** Every call gets exactly one outcome: a second one changes nothing. */
export function settleCall(
  run: Run,
  index: number,
  outcome: ToolOutcome,
  recorded: boolean,
  at: number,
): Run {
  const { turn } = run;
  if (turn?.phase.at !== 'running') return run;
  const { calls, message } = turn.phase;
  const call = calls[index];
  if (!call || call.outcome) return run;
  const settled = { ...call, outcome, ...(recorded ? { recorded } : {}) };
  return finishRound(loggedOutcome(withCall(run, turn, message, calls, settled), settled, outcome, at), at);
}

/** Once every call has its outcome: the results in call order, then the messages that wait, then the next request. */
function finishRound(run: Run, at: number): Run {
  if (run.turn?.phase.at !== 'running' || run.turn.phase.calls.some((call) => !call.outcome)) return run;
  const closed = closeRound(run, run.turn.phase.calls);
  const next = drain(closed, at) ?? closed;
  const looping = (next.turn?.repeatRounds ?? 0) >= limitsOf(next).repeatRoundsMax;
  return ask(next, looping ? 'finalize-loop' : 'reply', at);
}

/** The transcript with one tool message a call, in call order; violations are counted in that order. */
export function closeRound(run: Run, calls: Call[]): Run {
  let violations = run.violations;
  const entries = calls.flatMap((call): Entry[] => {
    if (!call.outcome) return [];
    const step = countedViolation(violations, call.outcome);
    violations = step.violations;
    const note = [call.note, step.escalation].filter((part) => part !== undefined).join('\n\n') || undefined;
    const message = toolMessage(call.id, call.outcome.text, note, call.outcome.files);
    if (!call.recorded) return [{ message }];
    const attempt = call.outcome.attempts ?? 1;
    const result = {
      ref: call.key,
      id: call.id,
      ...(attempt === 1 ? {} : { attempt }),
      ...(note === undefined ? {} : { note }),
    };
    return [{ message, result }];
  });
  return { ...run, violations, transcript: [...run.transcript, ...entries] };
}

function withCall(run: Run, turn: Turn, message: AssistantMessage, calls: Call[], changed: Call): Run {
  const next = calls.map((call) => (call.index === changed.index ? changed : call));
  return { ...run, turn: { ...turn, phase: { at: 'running', message, calls: next } } };
}

function loggedOutcome(run: Run, call: Call, outcome: ToolOutcome, at: number): Run {
  if (!run.turn) return run;
  const { index, id, name } = call;
  const body = { kind: 'call-settled' as const, iteration: run.turn.iteration, index, id, name, outcome };
  return { ...run, log: logged(run.log, at, run.turn.n, body) };
}

const withheld = (call: Call): ToolOutcome | undefined =>
  call.approval ? notRun(notRunApproval(call.name, call.approval)) : undefined;

const notRun = (text: string): ToolOutcome => ({ status: 'refused', class: 'general', text });

const unplanned = (name: string): ToolOutcome =>
  notRun(`Error: ${name} was not run, since the record of this reply holds no plan for it.`);
