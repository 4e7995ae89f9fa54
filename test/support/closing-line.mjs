import { relative } from 'node:path';
import { isLongRun } from './long-run.ts';
import { notRun } from './not-run.ts';
import { PART_VARIABLE } from './part-of-run.ts';

const partOfRun = () =>
  isLongRun || process.env[PART_VARIABLE] === undefined
    ? null
    : `Part of this run: ${PART_VARIABLE}=${process.env[PART_VARIABLE]}`;

const SHOWN_FILES = 25;

/** With TEST_CPU=true: what spec files cost, without the database of the run. */
function cpuOf(results) {
  if (process.env.TEST_CPU !== 'true') return null;
  const files = results.testResults
    .map(({ testFilePath, cpuSeconds = 0 }) => ({ file: relative(process.cwd(), testFilePath), cpuSeconds }))
    .sort((a, b) => b.cpuSeconds - a.cpuSeconds);
  const folderOf = ({ file }) => file.split('/').slice(0, 2).join('/');
  const folders = [...new Set(files.map(folderOf))];
  const sum = (list) => list.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  const line = (seconds, name) => `${Math.round(seconds).toString().padStart(6)} ${name}`;
  return [
    'Seconds of CPU by folder:',
    ...folders.map((folder) => {
      const inside = files.filter((file) => folderOf(file) === folder);
      return line(sum(inside), `${folder} (${inside.length})`);
    }),
    `The ${SHOWN_FILES} largest spec files:`,
    ...files.slice(0, SHOWN_FILES).map(({ file, cpuSeconds }) => line(cpuSeconds, file)),
    line(sum(files), 'all'),
  ].join('\n');
}

/** Of the last run: in watch mode there are several. */
let lines = [];

// After the default reporter's own summary, which is written when a run is complete.
process.once('exit', () => {
  for (const line of lines) process.stdout.write(`${line}\n`);
});

/**
 * Closes a run with the line that CI reads: `N passed, N failed`, and `, N skipped` if tests were. The lines before it
 * say how to repeat the run's part of what rotates, which tests were not run, and, if asked, what they cost.
 */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    // A suite that could not be loaded has no failed test; it counts as one.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = `${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    lines = [cpuOf(results), partOfRun(), notRun(results.testResults), counts].filter(
      (line) => line !== null,
    );
  }
}
