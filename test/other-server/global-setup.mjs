// Plain JavaScript, see test/setup/global-setup.mjs.
export { default } from './start-suite.ts';
