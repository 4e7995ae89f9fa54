// Loaded into a command before its own code. When the command ends, it writes its resource use to descriptor 3: /proc no
// longer contains an ended process.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const USE_DESCRIPTOR = 3;

if (isMainThread) {
  process.on('exit', () => {
    writeSync(USE_DESCRIPTOR, JSON.stringify(process.resourceUsage()));
  });
}
