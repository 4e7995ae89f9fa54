import { cpus } from 'node:os';

/** Starts a measurement. The function returns the CPU seconds that all programs of the machine have used since. */
export function watchMachine(): () => number {
  const before = busySeconds();
  return () => busySeconds() - before;
}

const busySeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
