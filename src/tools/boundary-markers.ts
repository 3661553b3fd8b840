/**
 * Words by which the errors of foreign tools show that they hit a boundary (turn-semantics §3), lower-cased. Our own
 * guards use the first of each list in their messages.
 */
export const hardBoundaryMarkers = [
  'internal/private url detected',
  'private/internal address',
  'private address',
] as const;

export const softBoundaryMarkers = [
  'outside the configured workspace',
  'outside allowed directory',
  'working_dir is outside',
  'working_dir could not be resolved',
  'path outside working dir',
  'path traversal detected',
] as const;

/** Arguments that name the target of a foreign tool, the first that holds text counts. */
export const targetArguments = ['path', 'file_path', 'target', 'source', 'destination'] as const;
