import { spawnSync } from 'node:child_process';
import { commands } from '../../src/cli/commands.ts';
import { completionScript } from '../../src/cli/completion-script.ts';

/** What bash offers behind these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const ask = [
    completionScript('bash', commands),
    `COMP_WORDS=(${['turnloop', ...words].map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_turnloop',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  const { stdout, stderr } = spawnSync('bash', ['-c', ask.join('\n')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands', () => {
  expect(offered('s')).toEqual(['start', 'send', 'state']);
  expect(offered('')).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
});

test("bash completes a command's options", () => {
  expect(offered('run', '--me')).toEqual(['--metadata']);
  expect(offered('watch', '--')).toEqual(['--from', '--json', '--help']);
});

test('bash completes the values of an option, and of an argument', () => {
  expect(offered('ls', '--status', 't')).toEqual(['terminated', 'timed-out']);
  expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
});

test('bash completes files where a file is wanted', () => {
  expect(offered('worker', 'package.js')).toEqual(['package.json']);
  expect(offered('start', '--agents', 'package.js')).toEqual(['package.json']);
  expect(offered('run', 'package.js')).toEqual([]);
});

test.each(['zsh', 'fish'] as const)('the script for %s knows every command and option', (shell) => {
  const script = completionScript(shell, commands);
  for (const { name, options } of commands) {
    expect(script).toMatch(shell === 'zsh' ? new RegExp(`'${name}:`) : new RegExp(`-a ${name} `));
    for (const option of Object.keys(options))
      expect(script).toContain(
        shell === 'zsh' ? `--${option}[` : `seen_subcommand_from ${name}' -l ${option}`,
      );
  }
});
