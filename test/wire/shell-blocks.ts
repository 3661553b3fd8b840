/** A command of a page: one line of shell, its continued lines joined. */
export interface Command {
  line: string;
  /** What the page says it exits with; 0 unless it says so. */
  exitCode: number;
}

/** The commands in a page's `sh` blocks, in order. */
export function commandsOf(markdown: string): Command[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$/gmsu)].map((match) => match[1] ?? '');
  return blocks
    .flatMap((block) =>
      block
        .replaceAll(/\\\n\s*/gu, '')
        .trim()
        .split('\n'),
    )
    .map((line) => ({ line, exitCode: Number(/# exit code (\d+)/u.exec(line)?.[1] ?? 0) }));
}
