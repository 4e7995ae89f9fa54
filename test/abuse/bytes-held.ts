import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOOK_INTERVAL_MS = 250;

/** Memory of a process as its operating system counts it, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1_024;
}

/** Looks at the memory of a process again and again; `stop` answers the most that was seen, in bytes. */
export function watchMemory(pid: number): { stop: () => Promise<number> } {
  let most = 0;
  const look = async () => {
    most = Math.max(most, await residentBytes(pid));
  };
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(looking);
      await look();
      return most;
    },
  };
}

export const inMb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
