import { shortened } from './code-points.ts';
import { shown } from './shown.ts';
import type { FailureSigns } from './failure-signs.ts';

/** Code points of one detail. */
const detailChars = 300;

/**
 * What an error says, beginning with its class: its message, then what helps and isn't in the message already (the
 * innermost cause, an HTTP status, a code, a database's `detail`). No stack: it tells a model nothing.
 */
export function errorText(error: unknown, { chain, code, status }: FailureSigns): string {
  const [thrown] = chain;
  if (!thrown) return `Error: ${typeof error === 'string' && error.trim() !== '' ? error : noMessage}`;
  const text = `${classOf(thrown)}: ${messageOf(thrown) ?? noMessage}`;
  const innermost = chain
    .slice(1)
    .map(messageOf)
    .findLast((message) => message !== undefined);
  const details = [
    innermost,
    status === undefined ? undefined : `HTTP ${status}`,
    code,
    typeof thrown.detail === 'string' ? thrown.detail : undefined,
  ].filter((each) => each !== undefined && !text.includes(each.replace(/^HTTP /, '')));
  return details.length === 0
    ? text
    : `${text} (${details.map((each) => shortened(each!, detailChars)).join('; ')})`;
}

const noMessage = 'the tool failed without a message';

/** The class, unless a name was set by hand; a bare object is an `Error`. */
function classOf(error: Record<string, unknown>): string {
  const byClass = (error.constructor as { name?: unknown } | undefined)?.name;
  const { name } = error;
  if (typeof name === 'string' && name !== '' && name !== 'Error') return name;
  return typeof byClass === 'string' && byClass !== '' && byClass !== 'Object' ? byClass : 'Error';
}

function messageOf(error: Record<string, unknown>): string | undefined {
  const { message } = error;
  if (typeof message === 'string' && message.trim() !== '') return message;
  const isBare = Object.getPrototypeOf(Object.getPrototypeOf(error) ?? {}) === null && !('stack' in error);
  return isBare ? shown(error) : undefined;
}
