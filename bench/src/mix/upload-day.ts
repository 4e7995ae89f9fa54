import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ZipFile } from '../data/zip-files.ts';
import type { HttpClient, UploadOutcome } from '../run/http-client.ts';
import type { Tally } from './tally.ts';

/** The 300 uploads of a day then take 90 seconds. */
const INTERVAL_MS = 300;
/** Bounds memory. The measured times include the wait for a free slot. */
const UPLOADS_AT_ONCE = 16;

/**
 * Uploads ZIPs at fixed times, regardless of earlier uploads: a slow service receives the same rate. Times are measured
 * from the due time to the 200, and until the events are folded.
 */
export async function uploadDay(
  client: HttpClient,
  zips: readonly ZipFile[],
  tally: Tally,
): Promise<UploadOutcome[]> {
  const limit = pLimit(UPLOADS_AT_ONCE);
  const began = performance.now();
  const upload = async ({ path }: ZipFile, i: number): Promise<UploadOutcome> => {
    const due = began + i * INTERVAL_MS;
    const took = () => performance.now() - due;
    await setTimeout(due - performance.now());
    return limit(async () => {
      const id = await client.uploadZip(await readFile(path), () => tally.answered('upload', 429, path));
      tally.took('upload, to the 200', took());
      const outcome = await client.untilFolded(id);
      tally.took('upload, to folded', took());
      return outcome;
    });
  };
  return Promise.all(zips.map(upload));
}
