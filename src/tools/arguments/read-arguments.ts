import { deepWellFormed } from '../../text/well-formed.ts';
import { shortened } from '../code-points.ts';
import { isDraftObject, parseDraft, plain, type Draft, type DraftObject } from './draft.ts';
import { repairJson } from './repair.ts';

/** What a model wrote as arguments, read without regard to any schema. */
export interface ReadArguments {
  /** For the outgoing history: always the text of a JSON object, well-formed; `{}` when what came couldn't be read. */
  text: string;
  /** Absent when it couldn't be read; `problem` says why. */
  value?: DraftObject;
  problem?: string;
}

/** Levels of objects and lists in arguments; more is refused. No real schema comes near. */
const depthMax = 64;
/** How often JSON text may be wrapped in JSON text. */
const encodingsMax = 3;
/** Code points of a broken text that its error quotes. */
const quotedChars = 200;

/**
 * Nothing, null and blank text are `{}`; an object is taken as it is; text is read as JSON, also when it was encoded more
 * than once, and mended when that loses nothing. Anything else is a problem (turn-semantics §3, "Arguments").
 */
export function readArguments(raw: unknown): ReadArguments {
  let value: Draft;
  try {
    value = decode(raw);
  } catch (error) {
    const reason = (error as { name?: unknown }).name === 'RangeError' ? tooDeep : broken;
    return { text: '{}', problem: `${reason} ${quoted(raw)}` };
  }
  if (!isDraftObject(value))
    return { text: '{}', problem: `a JSON object is needed, this is ${kindOf(value)}. ${quoted(raw)}` };
  const problem = shapeProblem(value, 1);
  if (problem !== undefined) return { text: '{}', problem: `${problem} ${quoted(raw)}` };
  return { text: outgoing(raw, value), value };
}

const broken =
  'the text is not valid JSON, and it could not be mended without guessing (was it cut off?). ' +
  'Write the complete arguments as one JSON object.';
const tooDeep = `the arguments are nested more than ${depthMax} levels deep. Write them flatter.`;

/** A value that stands for arguments, wherever it stands: undefined, null, an object, or text with one of these. */
export function decode(raw: unknown): Draft {
  let value: unknown = raw;
  for (let level = 0; typeof value === 'string' && level < encodingsMax; level++) {
    if (value.trim() === '') return {};
    value = parseText(value);
  }
  return value === undefined || value === null ? {} : (value as Draft);
}

function parseText(text: string): Draft {
  try {
    return parseDraft(text);
  } catch (error) {
    if ((error as { name?: unknown }).name === 'RangeError') throw error;
    // An encoded text that lost its outer quotes: {\"a\": 1}
    if (/^\s*\{\s*\\"/.test(text))
      return parseDraft(JSON.parse(`"${text.replace(/\r?\n/g, '\\n')}"`) as string);
    const mended = repairJson(text);
    if (mended === undefined) throw error;
    return parseDraft(mended);
  }
}

function shapeProblem(value: Draft, depth: number): string | undefined {
  if (!Array.isArray(value) && !isDraftObject(value)) return undefined;
  if (depth > depthMax) return tooDeep;
  if (Object.hasOwn(value, '__proto__')) return 'a field named "__proto__" is not accepted. Leave it out.';
  for (const item of Object.values(value)) {
    const problem = shapeProblem(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The original text where it can stay: a provider's prompt cache then finds its own words again. */
function outgoing(raw: unknown, value: DraftObject): string {
  const text = JSON.stringify(deepWellFormed(plain(value)));
  if (typeof raw !== 'string' || !raw.isWellFormed()) return text;
  try {
    const original: unknown = JSON.parse(raw);
    return isDraftObject(original) && JSON.stringify(original) === text ? raw : text;
  } catch {
    // Mended: the mended form goes out.
    return text;
  }
}

const kindOf = (value: Draft): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'a text' : `a ${typeof plain(value)}`;

function quoted(raw: unknown): string {
  if (typeof raw !== 'string') return `Received: ${Array.isArray(raw) ? 'a list' : typeof raw}`;
  return `Received: ${deepWellFormed(shortened(raw, quotedChars))}`;
}
