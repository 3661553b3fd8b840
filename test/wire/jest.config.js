import base from '../../jest.config.js';

/** `npm run test:wire`: docs/wire.md in practice. Needs Python 3.10 or newer, which `npm test` doesn't. */
const [, server] = base.projects;

export default {
  ...server,
  rootDir: '../..',
  displayName: 'wire',
  testMatch: ['<rootDir>/test/wire/*.wire.ts'],
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
  testTimeout: 180_000,
};
