import { readdir, readFile } from 'node:fs/promises';

/** What a process took in a run. */
export interface ProcessUse {
  name: string;
  /** In the measured time. */
  cpuSeconds: number;
  /** Since its start; of PostgreSQL the sum over its processes, with what they share counted once. */
  peakRssMb: number;
}

/** USER_HZ: what /proc counts CPU time in, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat behind the name, from 0. */
const PARENT = 1;
const USER_TICKS = 11;
const CHILDREN_SYSTEM_TICKS = 14;

/** A process to be watched; `withChildren` counts its children, those that have ended too. */
export interface Watched {
  name: string;
  pid: number;
  withChildren?: boolean;
}

/** Watches processes from now on. Reads /proc: elsewhere than on Linux the answer is empty. */
export async function watchProcesses(watched: Watched[]): Promise<() => Promise<ProcessUse[]>> {
  const before = await Promise.all(watched.map(cpuSeconds));
  return async () => {
    const uses = watched.map(async (one, i): Promise<ProcessUse[]> => {
      const [cpu, rss] = await Promise.all([cpuSeconds(one), peakRssMb(one)]);
      return Number.isNaN(cpu) ? [] : [{ name: one.name, cpuSeconds: cpu - before[i]!, peakRssMb: rss }];
    });
    return (await Promise.all(uses)).flat();
  };
}

async function cpuSeconds({ pid, withChildren = false }: Watched): Promise<number> {
  const own = await fieldsOf(pid);
  if (!own) return Number.NaN;
  // User and system time, then those of the children that were waited for.
  const ticks = sum(own.slice(USER_TICKS, withChildren ? CHILDREN_SYSTEM_TICKS + 1 : USER_TICKS + 2));
  const children = withChildren ? await childrenOf(pid) : [];
  const ofChildren = await Promise.all(children.map((child) => cpuSeconds(child)));
  // One that has ended since they were listed is told of by its parent, the next time.
  return ticks / TICKS_PER_SECOND + sum(ofChildren.filter((seconds) => !Number.isNaN(seconds)));
}

async function peakRssMb({ pid, withChildren = false }: Watched): Promise<number> {
  const children = withChildren ? await childrenOf(pid) : [];
  const all = await Promise.all([pid, ...children.map((child) => child.pid)].map(residentOf));
  return Math.max(...all.map(({ shared }) => shared)) + sum(all.map(({ peak, shared }) => peak - shared));
}

/** What it had at most, and what of that it shares with others, in MB. */
async function residentOf(pid: number): Promise<{ peak: number; shared: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mb = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { peak: mb('VmHWM'), shared: mb('RssShmem') };
}

async function childrenOf(pid: number): Promise<Watched[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(pids.map(async (one) => (await fieldsOf(one))?.[PARENT]));
  return pids.filter((_, i) => parents[i] === pid).map((one) => ({ name: '', pid: one }));
}

/** Of all processes together. */
export const totalCpuSeconds = (uses: readonly ProcessUse[]): number =>
  sum(uses.map((use) => use.cpuSeconds));

/** The name, which may hold blanks, is the second field and in parentheses. */
async function fieldsOf(pid: number): Promise<number[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
