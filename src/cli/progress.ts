import { stripVTControlCharacters } from 'node:util';
import type { Usage } from '../contract.ts';
import type { LogEntry } from '../core/log.ts';
import type { Paint } from './paint.ts';

/** Longest piece of a text that is shown of a thought, an action or an observation, in code points and lines. */
const shownCharsMax = 400;
const shownLinesMax = 4;

/**
 * The lines that tell of one entry of a run's log: *thought*, *action* and *observation* of each iteration, with durations
 * and tokens. `earlier` are the entries before it, where the beginning of what ended now is looked up. Pure.
 */
export function progressLines(entry: LogEntry, earlier: readonly LogEntry[], paint: Paint): string[] {
  switch (entry.kind) {
    case 'turn-started':
      return entry.turn === 1 ? [] : ['', paint('bold', `Turn ${entry.turn}`)];
    case 'model-started':
      return [];
    case 'model-replied': {
      const took = paint('dim', `(${seconds(entry, modelStart(entry, earlier))}, ${tokens(entry.usage)})`);
      const said = [entry.thinking, entry.text]
        .filter((text) => text !== undefined && text.trim() !== '')
        .join('\n');
      const name = entry.purpose === 'reply' ? 'thought' : 'last word';
      const empty =
        entry.calls.length > 0 ? `calls ${entry.calls.map((call) => call.name).join(', ')}` : 'no text';
      // What ends a turn is shown whole as the answer; here its beginning is enough.
      const shown =
        said === '' ? paint('dim', empty) : clip(said, entry.calls.length > 0 ? shownLinesMax : 1);
      const cut = entry.finish === 'length' ? paint('yellow', ' [cut off by length]') : '';
      const interrupted = entry.interrupted === true ? paint('yellow', ' [interrupted]') : '';
      const warnings = (entry.warnings ?? []).map((text) => row('', paint('yellow', 'warning'), clip(text)));
      return [row(entry.iteration, paint('cyan', name), `${shown}${cut}${interrupted} ${took}`), ...warnings];
    }
    case 'model-failed':
      return [
        row(entry.iteration, paint('red', 'model'), clip(`${entry.error.type}: ${entry.error.message}`)),
      ];
    case 'call-started':
      return [
        row('', paint('magenta', 'action'), `${paint('bold', plain(entry.name))} ${clip(entry.arguments)}`),
      ];
    case 'call-settled': {
      const { status, text, attempts = 1 } = entry.outcome;
      const start = earlier.findLast(
        (other) =>
          other.kind === 'call-started' && other.iteration === entry.iteration && other.index === entry.index,
      );
      const facts = [
        plain(entry.name),
        ...(status === 'ok' ? [] : [status]),
        ...(start === undefined ? [] : [seconds(entry, start)]),
        ...(attempts > 1 ? [`${attempts} attempts`] : []),
      ];
      const word = paint(status === 'ok' ? 'green' : 'red', 'observation');
      return [row('', word, `${clip(text)} ${paint('dim', `(${facts.join(', ')})`)}`)];
    }
    case 'messages-taken':
      return [row('', paint('blue', 'message'), `${entry.messageIds.length} from outside taken in`)];
    case 'turn-ended': {
      const start = earlier.findLast((other) => other.kind === 'turn-started');
      const count = `${entry.iterations} iteration${entry.iterations === 1 ? '' : 's'}`;
      const facts = [entry.stopReason, count, tokens(entry.usage), seconds(entry, start)];
      const error =
        entry.error === undefined ? [] : [row('', paint('red', 'error'), clip(entry.error.message))];
      return [...error, row('', paint('bold', 'end'), paint('dim', facts.join(', ')))];
    }
  }
}

/** `label` may hold colour codes, which take no room. */
function row(iteration: number | '', label: string, text: string): string {
  const padding = ' '.repeat(Math.max(1, 13 - stripVTControlCharacters(label).length));
  return `${String(iteration).padStart(3)} ${label}${padding}${text.replaceAll('\n', `\n${' '.repeat(17)}`)}`;
}

/** What a model or a tool wrote must not move the cursor or colour the terminal. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

function clip(text: string, linesMax = shownLinesMax): string {
  const lines = plain(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const points = [...lines.slice(0, linesMax).join('\n').trim()];
  const whole = lines.length <= linesMax && points.length <= shownCharsMax;
  return whole ? points.join('') : `${points.slice(0, shownCharsMax).join('').trimEnd()} …`;
}

function modelStart(
  entry: LogEntry & { iteration: number },
  earlier: readonly LogEntry[],
): LogEntry | undefined {
  return earlier.findLast((other) => other.kind === 'model-started' && other.iteration === entry.iteration);
}

function seconds(end: LogEntry, start: LogEntry | undefined): string {
  return start === undefined ? '? s' : `${((end.at - start.at) / 1000).toFixed(1)} s`;
}

function tokens({ promptTokens, completionTokens, estimated }: Usage): string {
  const count = (n: number) => n.toLocaleString('en-US');
  return `${estimated ? '~' : ''}${count(promptTokens)} + ${count(completionTokens)} tokens`;
}
