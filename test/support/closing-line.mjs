import { isLongRun } from './long-run.ts';
import { notRun } from './not-run.ts';
import { PART_VARIABLE } from './part-of-run.ts';

const partOfRun = () =>
  isLongRun || process.env[PART_VARIABLE] === undefined
    ? null
    : `Part of this run: ${PART_VARIABLE}=${process.env[PART_VARIABLE]}`;

/** Of the last run: in watch mode there are several. */
let lines = [];

// After the default reporter's own summary, which is written when a run is complete.
process.once('exit', () => {
  for (const line of lines) process.stdout.write(`${line}\n`);
});

/**
 * Closes a run with the line that CI reads: `N passed, N failed`, and `, N skipped` if tests were. The lines before it
 * say how to repeat the run's part of what rotates, and which tests were not run.
 */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    // A suite that could not be loaded has no failed test; it counts as one.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = `${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    lines = [partOfRun(), notRun(results.testResults), counts].filter((line) => line !== null);
  }
}
