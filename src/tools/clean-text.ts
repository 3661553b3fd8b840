import { redact } from '../text/redact.ts';
import { wellFormed } from '../text/well-formed.ts';

/**
 * Terminal escapes by ECMA-48: control strings (titles, links) with their end, CSI sequences (colours, cursor), the short
 * ones; then what is left of the kind. No class reads over another escape, so the time is linear in the text; Node's
 * `stripVTControlCharacters` takes minutes for a few hundred kilobytes of `ESC ]`.
 */
const escapes =
  // oxlint-disable-next-line no-control-regex
  /\u001b[\]PX^_][^\u001b\u0007\u009c]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]|[\u001b\u009b\0]/g;

/** Terminal escapes and NUL gone, well-formed. */
export const plainText = (text: string): string => wellFormed(text.replace(escapes, ''));

/** Text of a tool as it may be stored and shown: plain first, so that no escape can hide a secret, then redacted. */
export const cleanText = (text: string): string => redact(plainText(text));
