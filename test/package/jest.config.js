import suites from '../../jest.config.js';

/** `npm run test:package`: the packed tarball as its consumers have it. Needs the package registry, which `npm test` doesn't. */
const server = suites.projects.find(({ displayName }) => displayName === 'server');

export default {
  ...server,
  rootDir: '../..',
  displayName: 'package',
  testMatch: ['<rootDir>/test/package/*.package.ts'],
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
};
