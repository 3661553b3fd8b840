import { isCancellation } from '@temporalio/workflow';
import type { ContextRef, LoadContextInput, RunError } from '../contract.ts';
import { limitsOf } from '../core/limits-of.ts';
import { activityError, isContextMissing } from './failures.ts';
import type { LiveRun } from './live-run.ts';
import { loadContextActivity } from './proxies.ts';
import { untilStopped } from './until-stopped.ts';

/** Puts a part of the transcript into the context. Its own activity, so that no two parts are in one task. */
export async function loadContext(live: LiveRun, step: LoadContextInput): Promise<void> {
  const before = live.stopWanted();
  if (before !== undefined) return live.happened({ kind: before });
  const { base, append } = step;
  const input = base === undefined ? { append } : { base, append };
  const ended = await untilStopped(live, limitsOf(live.run).cancelGraceMs, loaded(input));
  if (ended.stopped !== undefined) return live.happened({ kind: ended.stopped });
  if (ended.value === undefined) throw new Error('the activity was cancelled though nobody asked for it');
  if (ended.value === 'missing') return live.happened({ kind: 'context-missing' });
  if ('error' in ended.value) return live.happened({ kind: 'model-failed', error: ended.value.error });
  return live.happened({ kind: 'context-loaded', context: ended.value.context });
}

async function loaded(
  input: LoadContextInput,
): Promise<{ context: ContextRef } | 'missing' | { error: RunError } | undefined> {
  try {
    return { context: await loadContextActivity(input) };
  } catch (error) {
    if (isCancellation(error)) return undefined;
    if (isContextMissing(error)) return 'missing';
    return { error: activityError(error, 'context_not_loaded') };
  }
}
