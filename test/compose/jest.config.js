import suites from '../../jest.config.js';

/** `npm run test:compose`: needs docker-compose, so it isn't part of `npm test`. */
const { displayName: _, testMatch: __, testPathIgnorePatterns: ___, ...project } = suites.projects[0];

export default {
  ...project,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/compose/*.compose.ts'],
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
};
