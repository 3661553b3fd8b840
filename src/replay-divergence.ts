/** The part of an exported or fetched event that tells what it is. */
type HistoryEvent = { eventId?: unknown; eventType?: unknown } & Record<string, unknown>;

/**
 * Reads the SDK's words about a failed replay, which is a dump of a Rust value, into the event and a sentence. Words that
 * are not understood are passed on as they are.
 */
export function readDivergence(words: string, events: unknown[]): { message: string; eventId?: number } {
  const message = innerMessage(words);
  const history = events as HistoryEvent[];

  const unhandled = /(\w[\w ]*?) machine does not handle this event: HistoryEvent\(id: (\d+), (\w+)\)/i.exec(
    message,
  );
  if (unhandled !== null) {
    const [, machine = '', id = '', type = ''] = unhandled;
    const has = describeEvent(history, Number(id)) ?? type;
    return {
      eventId: Number(id),
      message: `event ${id}: the history has ${has}, the code wants: ${machine.toLowerCase()}`,
    };
  }

  const mismatch = /(\w+) type of scheduled event '([^']*)' does not match .*'([^']*)'/.exec(message);
  if (mismatch !== null) {
    const [, kind = '', has = '', wants = ''] = mismatch;
    const at = history.filter((event) => typeOf(event) === has).map((event) => Number(event.eventId));
    const what = kind.toLowerCase();
    const sentence = `the history has ${what} "${has}", the code wants ${what} "${wants}"`;
    const [only] = at;
    if (at.length === 1 && only !== undefined)
      return { eventId: only, message: `event ${only}: ${sentence}` };
    return { message: at.length === 0 ? sentence : `one of the events ${at.join(', ')}: ${sentence}` };
  }

  const named = /HistoryEvent\(id: (\d+)/.exec(message);
  return { message, ...(named === null ? {} : { eventId: Number(named[1]) }) };
}

/** The text of the first `message: "…"` of the dump, without Temporal's rule number. */
function innerMessage(words: string): string {
  const quoted = /message: ("(?:[^"\\]|\\.)*")/.exec(words)?.[1];
  if (quoted === undefined) return words;
  try {
    return (JSON.parse(quoted) as string).replace(/^\[TMPRL\d+\] Nondeterminism error: /, '');
  } catch {
    // Rust escapes some characters as \u{…}, which is no JSON.
    return quoted.slice(1, -1);
  }
}

/** "ActivityTaskScheduled callModel (event 5's type and, where it has one, the activity's or timer's name)". */
function describeEvent(events: HistoryEvent[], id: number): string | undefined {
  const event = events.find((candidate) => Number(candidate.eventId) === id);
  if (event === undefined) return undefined;
  const attributes = Object.keys(event).find((key) => key.endsWith('EventAttributes') && event[key] != null);
  const kind = attributes?.replace(/EventAttributes$/, '') ?? String(event.eventType);
  const type = typeOf(event);
  return type === undefined ? kind : `${kind} "${type}"`;
}

/** Name of the activity, child workflow or signal an event is about. */
function typeOf(event: HistoryEvent): string | undefined {
  for (const [key, value] of Object.entries(event)) {
    if (!key.endsWith('EventAttributes') || typeof value !== 'object' || value === null) continue;
    const { activityType, workflowType } = value as Record<string, { name?: string } | undefined>;
    const name = activityType?.name ?? workflowType?.name;
    if (name !== undefined) return name;
  }
  return undefined;
}
