import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** Seconds of CPU of this process, and on Linux of the processes that it started and that have ended. */
export function cpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The second field is a name in brackets, which can contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
