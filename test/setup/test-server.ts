/** The suite's Temporal server and workflow bundle, for tests named `*.server.test.ts`. */
export function testServer(): {
  address: string;
  namespace: string;
  workflowBundle: { codePath: string };
} {
  return {
    address: given('TURNLOOP_TEST_ADDRESS'),
    namespace: 'default',
    workflowBundle: { codePath: given('TURNLOOP_TEST_BUNDLE') },
  };
}

function given(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new Error(
    `${name} is not set. Only tests named *.server.test.ts get the suite's server: rename the file.`,
  );
}
