import type { Json, ToolOutcome } from '../contract.ts';
import { keepFile } from '../stores/keep-file.ts';
import type { Store } from '../stores/store.ts';
import { redact } from '../text/redact.ts';
import { bytesType } from './bytes-type.ts';
import { codePoints } from './code-points.ts';
import type { ToolSpec } from './define.ts';
import { formatted, rowsPreview, textPreview } from './preview.ts';
import { bytesOf, resultJson } from './result-json.ts';
import { stableJson } from './stable-json.ts';

export interface Observation {
  /** Name of the tool. */
  tool: string;
  /** How the preview is cut; its `maxChars` goes before the one below. */
  spec?: Pick<ToolSpec, 'result'>;
  /** Code points that a model reads at once: limit `toolResultMaxChars`. */
  maxChars: number;
  /** What a model gives to `read_result`: the call's key, turn/iteration/index. */
  ref: string;
  /** Where the full result goes, see `resultKey`. */
  key: string;
  store: Store;
}

/**
 * The Observer: what a model reads of a tool's result (turn-semantics §3.3 and "Preview"). Text as it is, else JSON with
 * stable keys; cleaned and redacted before it is stored or shown. Never rejects, whatever the tool returned.
 */
export async function observe(value: unknown, observation: Observation): Promise<ToolOutcome> {
  const { tool, spec, ref, key, store } = observation;
  const wholeBytes = bytesOf(value);
  if (wholeBytes) return observeBytes(wholeBytes, observation);

  const { json, bytes } = resultJson(value, (part, n) => `[${described(part)}, ${ref}#${n}]`);
  const kept = await Promise.all(bytes.map((part, i) => store.put(`${key}#${i + 1}`, part)));
  const files = await imagesAmong(bytes, store);
  const lost = kept.flatMap((isKept, i) => (isKept ? [] : [`${ref}#${i + 1}`]));

  const empty = emptyMark(json, tool);
  if (empty !== undefined) return { status: 'ok', text: empty };
  const whole = redact(typeof json === 'string' ? json : stableJson(json!));
  const note = lost.length > 0 ? `\n[not kept, the store is unavailable: ${lost.join(', ')}]` : '';
  const maxChars = spec?.result?.maxChars ?? observation.maxChars;
  const chars = codePoints(whole);
  const rows = rowsPreview(json!, chars <= maxChars, { maxChars, ...spec?.result });

  if (chars <= maxChars && !rows) return { status: 'ok', text: whole + note, ...files };

  const isKept = await store.put(key, Buffer.from(whole, 'utf8'));
  const preview = rows ?? textPreview(whole, chars, maxChars);
  const extent = rows ? `${preview.extent}, ${formatted(chars)} characters` : preview.extent;
  const tail = isKept
    ? `...[truncated, full result stored in cache] · ${extent} · read_result("${ref}")`
    : `...[truncated, the full result could not be stored and is lost] · ${extent}`;
  return {
    status: 'ok',
    text: `${preview.text}${rows ? '\n' : ''}${tail}${note}`,
    ...(isKept ? { ref } : {}),
    ...files,
    chars,
  };
}

/** Bytes never enter a transcript: the model reads what they are and where. */
async function observeBytes(bytes: Uint8Array, { tool, ref, key, store }: Observation): Promise<ToolOutcome> {
  const files = await imagesAmong([bytes], store);
  if (bytes.byteLength === 0) return { status: 'ok', text: emptyMark('', tool)! };
  const isKept = await store.put(key, bytes);
  const where = isKept ? `stored as ${ref}` : 'it could not be stored and is lost';
  return {
    status: 'ok',
    text: `[${tool} returned ${described(bytes)}; ${where}]`,
    ...(isKept ? { ref } : {}),
    ...files,
  };
}

/** Images are shown to the model as well; any other bytes are only told of. */
async function imagesAmong(bytes: Uint8Array[], store: Store): Promise<Pick<ToolOutcome, 'files'>> {
  const images = bytes.filter((part) => bytesType(part).startsWith('image/'));
  const kept = await Promise.all(images.map((part) => keepFile(store, part, bytesType(part))));
  const files = kept.filter((part) => part !== undefined);
  return files.length > 0 ? { files } : {};
}

const described = (bytes: Uint8Array): string => `${bytesType(bytes)}, ${formatted(bytes.byteLength)} bytes`;

/** An empty tool message is refused by some providers and puzzles models, so nothing is said in words. */
function emptyMark(json: Json | undefined, tool: string): string | undefined {
  if (json === undefined || json === null || (typeof json === 'string' && json.trim() === ''))
    return `(${tool} completed with no output)`;
  if (typeof json !== 'object' || Object.keys(json).length > 0) return undefined;
  return Array.isArray(json) ? `(${tool} returned an empty list)` : `(${tool} returned an empty object)`;
}
