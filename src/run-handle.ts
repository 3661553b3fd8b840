export { RunHandle } from './client/run-handle.ts';
