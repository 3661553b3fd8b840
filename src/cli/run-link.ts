import type { Server } from '../server/server.ts';

/** Address of a run in the Temporal UI; undefined when nobody knows where the UI is. */
export function runLink(
  server: Pick<Server, 'uiUrl' | 'namespace'>,
  run: { id: string; runId?: string },
): string | undefined {
  if (server.uiUrl === undefined) return undefined;
  const segments = [
    'namespaces',
    server.namespace,
    'workflows',
    run.id,
    ...(run.runId === undefined ? [] : [run.runId, 'history']),
  ];
  return [server.uiUrl, ...segments.map(encodeURIComponent)].join('/');
}
