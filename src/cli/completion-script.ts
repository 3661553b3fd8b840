import type { Command } from './command.ts';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { zshScript } from './completion/zsh.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A completion script that knows these commands: it is printed once and asks nothing when it completes. Pure. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  scripts[shell](commands);
