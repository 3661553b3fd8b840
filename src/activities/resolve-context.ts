import type { Appended, ContextRef, Fragment, LoadContextInput, Message, ResultRef } from '../contract.ts';
import { messagesGone } from '../core/texts.ts';
import type { ContextItem, HeldContext } from './contexts.ts';
import type { ActivityDeps } from './deps.ts';
import { askRun } from './ask-run.ts';
import { contextMissing } from './failures.ts';
import { messageOfRef } from './kept-outcome.ts';
import { noteMiss } from './note-miss.ts';

export interface ResolvedContext extends HeldContext {
  /** The store had lost it, and the run was asked. */
  rebuilt?: boolean;
}

/**
 * The whole conversation that a request is about: `base` and `append` with every reference resolved. What the store lost
 * comes from the run itself, by queries that leave nothing in its history.
 *
 * @throws ApplicationFailure of type `ContextMissing` when neither has it
 */
export async function resolveContext(
  deps: ActivityDeps,
  input: LoadContextInput,
  where: 'memory' | 'store',
): Promise<ResolvedContext> {
  const { base } = input;
  const found = base === undefined ? undefined : await deps.contexts.load(base.id);
  const lacksStart = base?.id === '';
  const added = base === undefined || found !== undefined ? await resolveAll(deps, input.append) : undefined;
  if (added !== undefined && !lacksStart) return deps.contexts.extend(found, added, where);
  if (!lacksStart) noteMiss();
  const asked = deps.recoverByQuery ? await askRun(reachOf(input)) : undefined;
  if (asked !== undefined) return { ...deps.contexts.extend(undefined, asked, where), rebuilt: true };
  if (added === undefined) throw contextMissing(`context ${base?.id || 'of the run'}`);
  return deps.contexts.extend(found, [unavailable(base?.entries ?? 0), ...added], where);
}

/** What a run that was continued as a new one has left behind, and nobody has any more. */
const unavailable = (entries: number): Message => ({
  role: 'system',
  content: messagesGone(entries),
});

/** How far into the conversation `base` with `append` goes. */
export function reachOf({ base, append }: LoadContextInput): Omit<ContextRef, 'id'> {
  let entries = base?.entries ?? 0;
  let open = base?.open;
  for (const item of append) {
    if (!isFragment(item)) {
      entries++;
    } else if (item.last) {
      entries++;
      open = undefined;
    } else {
      open = (open ?? 0) + item.fragment.length;
    }
  }
  return open === undefined ? { entries } : { entries, open };
}

async function resolveAll(deps: ActivityDeps, append: Appended[]): Promise<ContextItem[] | undefined> {
  const items = await Promise.all(
    append.map((item) => (isRef(item) ? messageOfRef(deps.store, item) : item)),
  );
  return items.every((item) => item !== undefined) ? items : undefined;
}

const isFragment = (item: Appended): item is Fragment => !('role' in item) && 'fragment' in item;

const isRef = (item: Appended): item is ResultRef => !('role' in item) && 'ref' in item;
