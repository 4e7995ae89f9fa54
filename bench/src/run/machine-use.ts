import { cpus } from 'node:os';

/** Watches the machine from now on; the function answers the CPU seconds that all of its programs took since. */
export function watchMachine(): () => number {
  const before = busySeconds();
  return () => busySeconds() - before;
}

const busySeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
