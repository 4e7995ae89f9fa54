import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type Fault, pick } from './fault.ts';
import type { ProgramName, Site } from './site.ts';

/** As long as machines are suspended, moved or swap: beyond the sessions of Kafka's groups, or not. */
const PAUSE_MS = { min: 2_000, max: 15_000 };

/** A pause that ends by itself: waiting clients get no response during it. */
const pausing = (
  name: string,
  processesOf: (site: Site, random: () => number) => Promise<number[]>,
): Fault => ({
  name: `paused ${name}`,
  ...(process.platform !== 'linux' && { whyNot: 'only on Linux the children of a process are found' }),
  strike: async (site, random) => {
    const processes = await processesOf(site, random);
    signal(processes, 'SIGSTOP');
    try {
      await setTimeout(PAUSE_MS.min + random() * (PAUSE_MS.max - PAUSE_MS.min));
    } finally {
      signal(processes, 'SIGCONT');
    }
    return async () => {};
  },
});

/** A session of PostgreSQL may have ended since it was found. */
function signal(processes: number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

const PROGRAMS: readonly ProgramName[] = ['gateway', 'projector', 'projector 2', 'scorer'];

/** Each session is a child of the first process, and a separate process group. */
async function postgresProcesses(site: Site): Promise<number[]> {
  const pid = await site.postgresPid();
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

export const PAUSES: readonly Fault[] = [
  pausing('program', async (site, random) => [site.program(pick(PROGRAMS, random)).pid]),
  pausing('PostgreSQL', postgresProcesses),
  pausing('broker', async ({ kafka }, random) => [pick(kafka.nodes, random).pid!]),
];
