import type { Command } from '../command.ts';
import { defineCommand } from '../command.ts';
import { completionScript, shells, type Shell } from '../completion-script.ts';

/** The completion command for the commands given, and for itself. */
export function completionCommand(commands: readonly Command[]): Command {
  const completion: Command = defineCommand({
    name: 'completion',
    summary: 'prints a completion script for bash, zsh or fish',
    about: ['Commands, options and their values are completed. Print the script where your shell reads it:'],
    args: [{ name: 'shell', help: shells.join(', '), choices: shells }],
    options: { json: { type: 'boolean', help: 'the words as JSON, for another shell' } },
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/turnloop', ''],
      ['completion zsh > "${fpath[1]}/_turnloop"', ''],
      ['completion fish > ~/.config/fish/completions/turnloop.fish', ''],
    ],
    async run({ args, options }, terminal) {
      const all = [...commands, completion];
      if (options.json === true) {
        const words = all.map(({ name, options: own }) => [
          name,
          Object.keys(own).map((each) => `--${each}`),
        ]);
        terminal.out(JSON.stringify(Object.fromEntries(words)));
      } else terminal.out(completionScript(args.shell as Shell, all));
      return 0;
    },
  });
  return completion;
}
