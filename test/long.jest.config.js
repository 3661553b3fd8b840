import base from '../jest.config.js';

/** `npm run test:long`: tests on the suite's server that take longer than `npm test` has time for, `*.long.ts`. */
const [, server] = base.projects;

export default {
  ...server,
  rootDir: '..',
  displayName: 'long',
  testMatch: ['<rootDir>/test/**/*.long.ts'],
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
  testTimeout: 180_000,
};
