import type { OpenedTurn, OpenTurnInput } from '../contract.ts';
import { activityError } from './failures.ts';
import type { LiveRun } from './live-run.ts';
import { openTurnActivity } from './proxies.ts';
import { untilStopped } from './until-stopped.ts';

/** Has the turn's instructions and limits recorded. A turn that can't be opened ends with stop reason `error`. */
export async function openTurn(live: LiveRun): Promise<void> {
  const { run } = live;
  const input: OpenTurnInput = {
    agent: run.agent,
    turn: run.turn?.n ?? 1,
    ...(run.limitsGiven === undefined ? {} : { limits: run.limitsGiven }),
    ...(run.model === undefined ? {} : { model: run.model }),
    ...(run.metadata === undefined ? {} : { metadata: run.metadata }),
    ...(run.digest === undefined ? {} : { known: run.digest }),
  };
  const ended = await untilStopped(live, run.limits?.cancelGraceMs ?? 1_000, opened(input));
  if (ended.stopped !== undefined && ended.stopped !== 'interrupted')
    return live.happened({ kind: ended.stopped });
  if (ended.value) live.happened({ kind: 'turn-opened', opened: ended.value });
}

async function opened(input: OpenTurnInput): Promise<OpenedTurn> {
  try {
    return await openTurnActivity(input);
  } catch (error) {
    return { digest: '', error: activityError(error, 'turn_not_opened') };
  }
}
