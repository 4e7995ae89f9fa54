import { readFile, rm } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { ZipFile } from '../data/zip-files.ts';
import { type ProcessUse, type Watched, watchProcesses } from '../run/process-use.ts';
import type { RunningService } from '../run/running-service.ts';

const UPLOADS_AT_ONCE = 4;

/** The result of uploading several ZIPs together. Times are from the first request. */
export interface SliceRun {
  findings: number;
  /** Until the last answer. */
  answeredSeconds: number;
  /** Until the last finding was queryable. */
  foldedSeconds: number;
  /** Until every score includes the changes. */
  scoredSeconds: number;
  /** Resource use until everything was scored. */
  processes: ProcessUse[];
}

/** Uploads ZIPs, several at a time, and waits until they are folded and scored. */
export async function uploadSlice(
  service: RunningService,
  zips: readonly ZipFile[],
  engines: readonly Watched[],
): Promise<SliceRun> {
  const use = await watchProcesses([...service.watched, ...engines, { name: 'client', pid: process.pid }]);
  const began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  const limit = pLimit(UPLOADS_AT_ONCE);
  const uploads = await Promise.all(zips.map((zip) => limit(() => upload(service, zip))));
  const answeredSeconds = since();
  for (const id of uploads) await service.client.untilFolded(id);
  const foldedSeconds = since();
  await service.untilScored();
  const scoredSeconds = since();
  const processes = await use();
  return { findings: signalsOf(zips), answeredSeconds, foldedSeconds, scoredSeconds, processes };
}

/** Uploads ZIPs while they are packed. Removes each file when the log contains it. */
export async function fill(service: RunningService, zips: AsyncIterable<ZipFile>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const zip of zips) {
    const one: Promise<void> = upload(service, zip)
      .then(() => rm(zip.path))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size >= UPLOADS_AT_ONCE) await Promise.race(underWay);
    if (failures.length > 0) break;
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}

const upload = async ({ client }: RunningService, { path }: ZipFile): Promise<string> =>
  client.uploadZip(await readFile(path));

export const signalsOf = (zips: readonly ZipFile[]): number =>
  zips.reduce((sum, { signals }) => sum + signals, 0);
