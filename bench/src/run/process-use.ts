import { readdir, readFile } from 'node:fs/promises';

/** Resources of a process in a run. */
export interface ProcessUse {
  name: string;
  /** CPU time during the measurement. */
  cpuSeconds: number;
  /** Peak since its start; for PostgreSQL the sum over its processes, with shared memory counted once. */
  peakRssMb: number;
}

/** USER_HZ: the unit of CPU time in /proc, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat after the name, from 0. */
const PARENT = 1;
const USER_TICKS = 11;
const CHILDREN_SYSTEM_TICKS = 14;

/** A process to be watched; `withChildren` counts its children, also ended ones. */
export interface Watched {
  name: string;
  pid: number;
  withChildren?: boolean;
}

/** Starts a measurement. Reads /proc: on other systems than Linux the result is empty. */
export async function watchProcesses(watched: Watched[]): Promise<() => Promise<ProcessUse[]>> {
  const before = await Promise.all(watched.map(cpuSeconds));
  return () => usesOf(watched, before);
}

/** Resources since the start of each process. Reads /proc, as `watchProcesses`. */
export const usesSinceStart = (watched: Watched[]): Promise<ProcessUse[]> =>
  usesOf(
    watched,
    watched.map(() => 0),
  );

async function usesOf(watched: Watched[], before: number[]): Promise<ProcessUse[]> {
  const uses = watched.map(async (one, i): Promise<ProcessUse[]> => {
    const [cpu, rss] = await Promise.all([cpuSeconds(one), peakRssMb(one)]);
    return Number.isNaN(cpu) ? [] : [{ name: one.name, cpuSeconds: cpu - before[i]!, peakRssMb: rss }];
  });
  return (await Promise.all(uses)).flat();
}

async function cpuSeconds({ pid, withChildren = false }: Watched): Promise<number> {
  const own = await fieldsOf(pid);
  if (!own) return Number.NaN;
  // User and system time of the process, then of the ended children that it has waited for.
  const ticks = sum(own.slice(USER_TICKS, withChildren ? CHILDREN_SYSTEM_TICKS + 1 : USER_TICKS + 2));
  const children = withChildren ? await childrenOf(pid) : [];
  const ofChildren = await Promise.all(children.map((child) => cpuSeconds(child)));
  // A child that has ended since the listing is included in the next value of its parent.
  return ticks / TICKS_PER_SECOND + sum(ofChildren.filter((seconds) => !Number.isNaN(seconds)));
}

async function peakRssMb({ pid, withChildren = false }: Watched): Promise<number> {
  const children = withChildren ? await childrenOf(pid) : [];
  const all = await Promise.all([pid, ...children.map((child) => child.pid)].map(residentOf));
  return Math.max(...all.map(({ shared }) => shared)) + sum(all.map(({ peak, shared }) => peak - shared));
}

/** Its peak memory, and the shared part of it, in MB. */
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

/** The CPU seconds of all processes together. */
export const totalCpuSeconds = (uses: readonly ProcessUse[]): number =>
  sum(uses.map((use) => use.cpuSeconds));

/** Fields of /proc/PID/stat after the name. The name is in parentheses and can contain spaces. */
async function fieldsOf(pid: number): Promise<number[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
