// Plain JavaScript, see global-setup.mjs.
export { default } from './stop-suite.ts';
