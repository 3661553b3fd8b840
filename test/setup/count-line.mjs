/** Reporter of the suites beside `npm test`: one line, `N passed, N failed` (`, N skipped` if any), for whoever adds them up. */
export default class CountLine {
  onRunComplete(_contexts, results) {
    // A test file that could not even be loaded holds no test, and is a failure nevertheless.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.stdout.write(
      `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}
