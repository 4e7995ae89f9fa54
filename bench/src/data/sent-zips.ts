import { join } from 'node:path';
import { scannedMachines } from './scans/machines.ts';
import { machinesWith } from './take.ts';
import { writeZipFiles, type ZipFile } from './zip-files.ts';

/**
 * Share of warm-up findings before the counted ones: V8 has then compiled the code path of a finding, as in a service.
 */
export const WARM_UP_SHARE = 0.2;

/** ZIPs of one run. */
export interface SentZips {
  /** Sent first, and not counted. */
  warming: ZipFile[];
  counted: ZipFile[];
}

/** Packs the counted findings, and the warm-up before them; writes the ZIPs into `folder`. */
export async function packZips(
  findings: number,
  folder: string,
  machines = scannedMachines(Number.POSITIVE_INFINITY, Date.now()),
): Promise<SentZips> {
  const pack = (count: number, part: string) =>
    writeZipFiles(machinesWith(machines, count), join(folder, part));
  return {
    warming: await pack(findings * WARM_UP_SHARE, 'warming'),
    counted: await pack(findings, 'counted'),
  };
}
