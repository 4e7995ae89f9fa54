import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SAMPLE_INTERVAL_MS = 250;

/** Resident memory of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1_024;
}

/** Samples the resident memory of a process; `stop` returns the peak, in bytes. */
export function watchMemory(pid: number): { stop: () => Promise<number> } {
  let peak = 0;
  const sample = async () => {
    peak = Math.max(peak, await residentBytes(pid));
  };
  const sampling = setInterval(() => void sample().catch(() => undefined), SAMPLE_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(sampling);
      await sample();
      return peak;
    },
  };
}

export const inMb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
