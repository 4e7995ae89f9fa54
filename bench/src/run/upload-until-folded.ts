import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { SideRun } from '../benchmark.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
import type { BenchSite } from './bench-site.ts';
import type { ChildProgram } from './child-program.ts';
import type { HttpClient } from './http-client.ts';
import { type ProcessUse, watchProcesses } from './process-use.ts';

const UPLOADS_AT_ONCE = 4;

export interface FoldedUploads {
  run: SideRun;
  /** Ids of the uploads. */
  uploads: string[];
  /** By `performance.now()`. */
  began: number;
  /** Resources used by each process since then. */
  watch(): Promise<ProcessUse[]>;
}

/** Uploads, several at a time, until each is folded and the last machine's findings are listed. */
export async function uploadUntilFolded(
  site: BenchSite,
  programs: ChildProgram[],
  client: HttpClient,
  zips: ZipFile[],
): Promise<FoldedUploads> {
  const watch = await watchProcesses([
    ...programs.map(({ watched }) => watched),
    ...site.engines,
    { name: 'client', pid: process.pid },
  ]);
  const began = performance.now();
  const uploads = await uploadAll(client, zips);
  const answered = performance.now();
  for (const id of uploads) await client.untilFolded(id);
  await assertListed(client, zips.at(-1)!.last);
  const seconds = (performance.now() - began) / 1000;
  const run = {
    findings: signalsIn(zips),
    seconds,
    processes: await watch(),
    remarks: { 'last ZIP answered after': `${((answered - began) / 1000).toFixed(1)} s` },
  };
  return { run, uploads, began, watch };
}

async function uploadAll(client: HttpClient, zips: ZipFile[]): Promise<string[]> {
  const limit = pLimit(UPLOADS_AT_ONCE);
  return Promise.all(zips.map(({ path }) => limit(async () => client.uploadZip(await readFile(path)))));
}

async function assertListed(client: HttpClient, { name, signals }: ZipFile['last']): Promise<void> {
  const listed = await client.findingsOf(await client.assetNamed(name));
  if (listed !== signals) throw new Error(`${name} lists ${listed} findings, not ${signals}`);
}
