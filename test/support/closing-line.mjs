import { notRun } from './not-run.ts';

/** Of the last run: in watch mode there are several. */
let lines = [];

// After the default reporter's own summary, which is written when a run is complete.
process.once('exit', () => {
  for (const line of lines) process.stdout.write(`${line}\n`);
});

/**
 * Closes a run with the line that CI reads: `N passed, N failed`, and `, N skipped` if tests were. The line before it
 * says which tests this machine could not run.
 */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    // A suite that could not be loaded has no failed test; it counts as one.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = `${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    lines = [notRun(results.testResults), counts].filter((line) => line !== null);
  }
}
