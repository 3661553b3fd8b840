import { styleText } from 'node:util';

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';
/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

export const noPaint: Paint = (_colour, text) => text;

/** Colours on a terminal only, and never with NO_COLOR (https://no-color.org) set to anything. */
export function paintFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const unwanted = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  if (stream.isTTY !== true || unwanted) return noPaint;
  return (colour, text) => styleText(colour, text, { validateStream: false });
}
