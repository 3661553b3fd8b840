import base from '../../jest.config.js';

/** `npm run test:history`: what takes longer than `npm test` has time for. */
const [, server] = base.projects;

export default {
  ...server,
  rootDir: '../..',
  displayName: 'history',
  testMatch: ['<rootDir>/test/history/*.history.ts'],
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
  testTimeout: 180_000,
};
