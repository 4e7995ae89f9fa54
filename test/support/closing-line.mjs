/** Closes a run with the line that CI reads: `N passed, N failed`, and `, N skipped` where any were. */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    // A suite that could not even load has no failed test of its own; it counts as one.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    // After the default reporter's own summary, which is written at the same event.
    process.once('exit', () => process.stdout.write(`${line}\n`));
  }
}
