import { fileURLToPath } from 'node:url';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The module that a workflow bundle is made from. */
export const workflowsPath = fileURLToPath(new URL(`../workflows/index.${extension}`, import.meta.url));
