import suites from '../../jest.config.js';

/** `npm run test:ui`: needs Chromium, so it isn't part of `npm test`. */
const { displayName: _, testMatch: __, testPathIgnorePatterns: ___, ...project } = suites.projects[0];

export default {
  ...project,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/ui/*.ui.ts'],
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/setup/count-line.mjs'],
};
