import type { Command, OptionSpec } from '../command.ts';

/** Completion for bash: no package is needed. Pure. */
export function bashScript(commands: readonly Command[]): string {
  return [
    '# bash completion for turnloop',
    '_turnloop() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$word"))`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]} $previous" in',
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).flatMap(([option, spec]) =>
        spec.type === 'string' ? [`    "${name} --${option}") ${valuesOf(spec)}; return ;;`] : [],
      ),
    ),
    '  esac',
    '  case "${COMP_WORDS[1]}" in',
    `    help) COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")) ;;`,
    ...commands.map((command) => `    ${command.name}) ${wordsOf(command)} ;;`),
    '  esac',
    '}',
    'complete -o filenames -F _turnloop turnloop',
  ].join('\n');
}

function valuesOf({ choices, value }: OptionSpec): string {
  if (choices !== undefined) return `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word"))`;
  return value === 'file' ? 'COMPREPLY=($(compgen -f -- "$word"))' : ':';
}

function wordsOf({ options, args }: Command): string {
  const choices = args.flatMap((arg) => arg.choices ?? []);
  const words = [...Object.keys(options).map((name) => `--${name}`), '--help', ...choices].join(' ');
  const files = takesFile(args) ? '; COMPREPLY+=($(compgen -f -- "$word"))' : '';
  return `COMPREPLY=($(compgen -W "${words}" -- "$word"))${files}`;
}

const takesFile = (args: Command['args']) => args.some(({ name }) => name === 'module' || name === 'subject');
