// Plain JavaScript: Jest would turn a .ts file here into CommonJS. What it imports is loaded by Node itself.
export { default } from './start-suite.ts';
