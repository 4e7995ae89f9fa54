import { constants } from 'node:os';
import { undoAll } from './interruption.ts';
import { isReaderGone } from './is-reader-gone.ts';
import { runPosture } from './posture.ts';
import { restoreTerminal } from './progress.ts';

/** npx sends a Ctrl-C again that the terminal has already sent: it is the same one. */
const SAME_SIGNAL_MS = 1_000;

const interruption = new AbortController();
const interrupted = interruption.signal;
let interruptedAt: number | undefined;

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!isReaderGone(error) && !interrupted.aborted) throw error;
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endBy(signal));

process.exitCode = await runPosture(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted,
});

/** Exits as a shell expects of a program that a signal has ended; a second signal waits for nothing. */
function endBy(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void {
  const exit = () => {
    restoreTerminal(process.stderr);
    process.exit(128 + constants.signals[signal]);
  };
  interruptedAt ??= performance.now();
  if (interrupted.aborted) {
    if (performance.now() - interruptedAt > SAME_SIGNAL_MS) exit();
    return;
  }
  interruption.abort();
  void undoAll().then(exit);
}
