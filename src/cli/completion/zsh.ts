import type { Command, OptionSpec } from '../command.ts';

/** Completion for zsh, for a file `_turnloop` in a folder of fpath. Pure. */
export function zshScript(commands: readonly Command[]): string {
  return [
    '#compdef turnloop',
    '_turnloop() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`),
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command="$words[2]"',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case "$command" in',
    "    help) _describe 'command' commands ;;",
    ...commands.map(
      (command) => `    ${command.name}) _arguments ${specsOf(command).map(quoted).join(' ')} ;;`,
    ),
    '  esac',
    '}',
    // Autoloaded by compinit the file is the function's body; sourced it has to register itself.
    'if [ "$funcstack[1]" = "_turnloop" ]; then _turnloop "$@"; else compdef _turnloop turnloop; fi',
  ].join('\n');
}

function specsOf({ options, args }: Command): string[] {
  return [
    ...Object.entries(options).map(([name, option]) => {
      const many = option.multiple === true ? '*' : '';
      return `${many}--${name}[${escaped(option.help)}]${valueOf(option)}`;
    }),
    '--help[says what it does]',
    ...args.map(({ name, choices, optional }) => {
      const action = choices
        ? `(${choices.join(' ')})`
        : name === 'module' || name === 'subject'
          ? '_files'
          : ' ';
      return `${optional === true ? '::' : ':'}${name}:${action}`;
    }),
  ];
}

function valueOf({ type, value = 'value', choices }: OptionSpec): string {
  if (type === 'boolean') return '';
  const action = choices ? `(${choices.join(' ')})` : value === 'file' ? '_files' : ' ';
  return `:${escaped(value)}:${action}`;
}

const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&');
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
