import { join } from 'node:path';
import { scannedMachines } from './machines.ts';
import { machinesWith } from './take.ts';
import { writeZipFiles, type ZipFile } from './zip-files.ts';

/** Of what is counted, so much goes before it: V8 has compiled what a finding runs through, as it has in a service. */
export const WARM_UP_SHARE = 0.2;

/** ZIPs of one run. */
export interface SentZips {
  /** They go first, and are not counted. */
  warming: ZipFile[];
  counted: ZipFile[];
}

/** Packs so many findings to be counted, and what goes before them; writes the ZIPs into `folder`. */
export async function packZips(findings: number, folder: string): Promise<SentZips> {
  const machines = scannedMachines(Number.POSITIVE_INFINITY, Date.now());
  const pack = (count: number, part: string) =>
    writeZipFiles(machinesWith(machines, count), join(folder, part));
  return {
    warming: await pack(findings * WARM_UP_SHARE, 'warming'),
    counted: await pack(findings, 'counted'),
  };
}
