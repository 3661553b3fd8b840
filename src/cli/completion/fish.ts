import type { Command } from '../command.ts';

/** Completion for fish. Pure. */
export function fishScript(commands: readonly Command[]): string {
  const none = '__fish_use_subcommand';
  return [
    '# fish completion for turnloop',
    'complete -c turnloop -f',
    ...commands.map(
      ({ name, summary }) => `complete -c turnloop -n ${none} -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(({ name, options, args }) => {
      const within = `complete -c turnloop -n '__fish_seen_subcommand_from ${name}'`;
      return [
        ...args.flatMap(({ name: arg, choices }) => {
          if (choices !== undefined) return [`${within} -a ${quoted(choices.join(' '))}`];
          return arg === 'module' || arg === 'subject' ? [`${within} -F`] : [];
        }),
        ...Object.entries(options).map(([option, { type, help, value, choices }]) => {
          const takes =
            type === 'boolean'
              ? ''
              : choices !== undefined
                ? ` -x -a ${quoted(choices.join(' '))}`
                : value === 'file'
                  ? ' -r -F'
                  : ' -x';
          return `${within} -l ${option}${takes} -d ${quoted(help)}`;
        }),
      ];
    }),
  ].join('\n');
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
