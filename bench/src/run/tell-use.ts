// Loaded into a command before its own code: when it ends, it tells on descriptor 3 what it took. Nobody else can, as
// /proc forgets a process with its end.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const USE_DESCRIPTOR = 3;

if (isMainThread) {
  process.on('exit', () => {
    writeSync(USE_DESCRIPTOR, JSON.stringify(process.resourceUsage()));
  });
}
