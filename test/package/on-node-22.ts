/*
 * `npm run test:node22 [-- <jest's arguments>]`: the suite of `npm test` on the oldest Node line that `engines` allows, which
 * comes from the npm package `node` like the one of the dev dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'turnloop-node22-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

writeFileSync(join(folder, 'package.json'), '{ "private": true }');
const install = ['install', 'node@22', '--no-audit', '--no-fund', '--prefer-offline'];
if (spawnSync('npm', install, { cwd: folder, stdio: 'inherit' }).status !== 0) process.exit(1);
const bin = join(folder, 'node_modules', 'node', 'bin');

const jest = spawn(
  join(bin, 'node'),
  [
    '--experimental-vm-modules',
    join(root, 'node_modules/jest/bin/jest.js'),
    ...process.argv.slice(2),
    // Last: jest takes every word behind them for a reporter.
    '--reporters=default',
    '--reporters=<rootDir>/test/setup/count-line.mjs',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [bin, process.env['PATH']].join(delimiter),
      // Node 22 says of type stripping that it is experimental, wherever it strips.
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => jest.kill(signal));
jest.once('close', (status) => process.exit(status ?? 1));
