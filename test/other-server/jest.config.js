import base from '../../jest.config.js';

/**
 * `npm run test:server`: what depends on how a server treats sizes, on another release than the embedded one, with
 * PostgreSQL. Needs Go (or a built server in the cache) and Debian's package `postgresql`.
 */
const [, server] = base.projects;

export default {
  ...server,
  rootDir: '../..',
  displayName: 'other server',
  testMatch: [
    '<rootDir>/test/history/sizes.server.test.ts',
    '<rootDir>/test/history/long-conversation.history.ts',
    '<rootDir>/test/history/resend.history.ts',
  ],
  globalSetup: '<rootDir>/test/other-server/global-setup.mjs',
  globalTeardown: '<rootDir>/test/other-server/global-teardown.mjs',
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
  testTimeout: 180_000,
};
