import { callOpaque, functionOpaque, mergeOpaque } from './opaque-fields.ts';
import { isObject } from './raw-completion.ts';
import { writtenId } from './tool-calls.ts';

interface OpenCall {
  index: unknown;
  id?: string | undefined;
  name: string;
  arguments: unknown;
  extra: Record<string, unknown>;
  functionExtra: Record<string, unknown>;
}

/**
 * Puts the calls of a stream together from their pieces. Pieces belong together by `index`; where servers leave it out, or
 * write 0 for every call, the id tells, then the name: a name behind whole arguments begins another call. A call that is
 * repeated with the same id, name and arguments is one call; the same arguments under different ids are two.
 */
export function streamedCalls(): { add(piece: unknown): void; list(): Record<string, unknown>[] } {
  const calls: OpenCall[] = [];

  function callOf(
    piece: Record<string, unknown>,
    id: string | undefined,
    name: string,
    args: unknown,
  ): OpenCall {
    const index = piece['index'] ?? undefined;
    const open =
      index !== undefined
        ? calls.findLast((call) => call.index === index)
        : id !== undefined
          ? calls.findLast((call) => call.id === id)
          : calls.at(-1);
    if (open && !beginsAnother(open, index, id, name, args)) return open;
    const call: OpenCall = { index, name: '', arguments: undefined, extra: {}, functionExtra: {} };
    calls.push(call);
    return call;
  }

  return {
    add(piece) {
      if (!isObject(piece)) return;
      const fn = isObject(piece['function']) ? piece['function'] : piece;
      const id = writtenId(piece['id']);
      const name = typeof fn['name'] === 'string' ? fn['name'] : '';
      const args = fn['arguments'];
      const call = callOf(piece, id, name, args);
      const repeated =
        name !== '' && name === call.name && sameArguments(call.arguments, args) && isWhole(args);
      call.id ??= id;
      // Some servers send the name in pieces, others repeat the whole name with every piece.
      if (name !== call.name) call.name += name;
      if (!repeated) call.arguments = continued(call.arguments, args);
      const { name: _name, arguments: _arguments, ...extra } = callOpaque(piece);
      call.extra = mergeOpaque(call.extra, extra);
      if (fn !== piece) call.functionExtra = mergeOpaque(call.functionExtra, functionOpaque(fn));
    },
    list() {
      const seen = new Set<string>();
      return calls
        .filter((call) => {
          if (call.id === undefined) return true;
          const key = JSON.stringify([call.id, call.name, call.arguments]);
          if (seen.has(key)) return false;
          seen.add(key);
          return true;
        })
        .map((call) => ({
          ...call.extra,
          ...(call.id !== undefined && { id: call.id }),
          type: 'function',
          function: { ...call.functionExtra, name: call.name, arguments: call.arguments },
        }));
    },
  };
}

function beginsAnother(
  open: OpenCall,
  index: unknown,
  id: string | undefined,
  name: string,
  args: unknown,
): boolean {
  // Without a name it is a continuation, even if the server makes up a new id for each piece.
  if (name === '') return false;
  if (id !== undefined && open.id !== undefined && id !== open.id) return true;
  if (id !== undefined && id === open.id) {
    return isWhole(open.arguments) && isWhole(args) && !sameArguments(open.arguments, args);
  }
  if (name === open.name && index !== undefined && (isBlank(args) || sameArguments(open.arguments, args)))
    return false;
  return isWhole(open.arguments);
}

function continued(before: unknown, piece: unknown): unknown {
  if (piece === undefined || piece === null) return before;
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  // An object is the whole; blank text behind it adds nothing.
  return isBlank(piece) && before !== undefined ? before : piece;
}

const isBlank = (args: unknown): boolean =>
  args === undefined || args === null || (typeof args === 'string' && args.trim() === '');

const sameArguments = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Arguments that are complete: an object, or text that parses as one. */
function isWhole(args: unknown): boolean {
  if (isObject(args)) return true;
  if (typeof args !== 'string' || !args.trimEnd().endsWith('}')) return false;
  try {
    return isObject(JSON.parse(args));
  } catch {
    // A part of a JSON text: more is to come.
    return false;
  }
}
