/**
 * Reads server-sent events piece by piece: `push` and `end` return the data of each event that is whole by then. As the
 * standard says (WHATWG HTML §9.2.6), except that an event counts without the blank line behind it when the stream ends:
 * several servers leave it out behind `[DONE]`.
 */
export function sseReader(): { push(text: string): string[]; end(): string[] } {
  let pending = '';
  let heldReturn = false;
  let data: string[] = [];

  function take(lines: string[]): string[] {
    const events: string[] = [];
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'));
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5));
      } else if (line === 'data') {
        data.push('');
      }
      // Comments (keep-alives) and the fields event, id and retry say nothing that a completion needs.
    }
    return events;
  }

  return {
    push(text) {
      // Only the new text is searched: one event can be megabytes long and come in thousands of pieces.
      const breaks = /[\r\n]/.test(text) || heldReturn;
      pending += text;
      if (!breaks || text === '') return [];
      // A carriage return at the very end may be half of a line break.
      heldReturn = text.endsWith('\r');
      const whole = heldReturn ? pending.slice(0, -1) : pending;
      const lines = whole.split(/\r\n|\r|\n/);
      pending = lines.pop()! + pending.slice(whole.length);
      return take(lines);
    },
    end() {
      const lines = [...pending.split(/\r\n|\r|\n/), ''];
      pending = '';
      return take(lines);
    },
  };
}
