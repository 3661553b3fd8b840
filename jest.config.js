/**
 * Jest runs the TypeScript sources as ES modules, as Node itself does (`npm test` passes --experimental-vm-modules). Two
 * projects: `unit` starts at once; `server` is every `*.server.test.ts` and has one Temporal server for all of them.
 */
const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.server\\.test\\.ts$'],
    },
    {
      ...project,
      displayName: 'server',
      testMatch: ['**/*.server.test.ts'],
      globalSetup: '<rootDir>/test/setup/global-setup.mjs',
      globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
    },
  ],
};
