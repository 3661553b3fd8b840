import { runLink } from '../../src/cli/run-link.ts';

const server = { uiUrl: 'http://127.0.0.1:8233', namespace: 'default' };

test('a run is linked in the Temporal UI by namespace, workflow id and run id, each encoded', () => {
  expect(runLink(server, { id: 'a/b c', runId: 'r' })).toBe(
    'http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb%20c/r/history',
  );
});

test('without a run id the link leads to the latest run of the workflow id', () => {
  expect(runLink(server, { id: 'a' })).toBe('http://127.0.0.1:8233/namespaces/default/workflows/a');
});

test('a server whose UI nobody knows has no link', () => {
  expect(runLink({ namespace: 'default' }, { id: 'a' })).toBeUndefined();
});
