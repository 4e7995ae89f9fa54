import type { BenchOptions } from '../benchmark.ts';
import type { Supply } from '../data/supply.ts';
import type { ZipFile } from '../data/zip-files.ts';
import type { Progress } from '../progress.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import type { ProcessUse } from '../run/process-use.ts';
import { findingChanges } from '../run/projection.ts';
import { RunningService } from '../run/running-service.ts';
import { type QueryTimes, queries, timeQueries } from './queries.ts';
import { fill, type SliceRun, uploadSlice } from './slice-runs.ts';

const QUERY_REPETITIONS = 20;

/** The results of a service of one size. */
export interface SizeFigures {
  /** Size at the start of the measurement. */
  findings: number;
  assets: number;
  /** From the size before to this one, while the client also packs the ZIPs. */
  filled: Pick<Filling, 'findings' | 'seconds'>;
  /** Uploads of slices of new findings on new assets. */
  ingest: SliceRun[];
  /** Uploads of the same slices, unchanged. */
  resend: SliceRun[];
  queries: QueryTimes[];
  /** Resource use while the service is filled to the size, and during the measurement: all programs restart between. */
  fillPeaks: ProcessUse[];
  peaks: ProcessUse[];
}

/** Findings that are sent before a measurement. */
export interface Filling {
  findings: number;
  /** Until all are queryable. */
  seconds: number;
  peaks: ProcessUse[];
}

export interface SizeToMeasure {
  site: BenchSite;
  database: SiteDatabase;
  supply: Supply;
  options: BenchOptions;
  progress: Progress;
}

/** Fills a service up to `size` findings and measures it. */
export async function measureSize(
  toMeasure: SizeToMeasure,
  size: number,
  slice: number,
): Promise<SizeFigures> {
  const { peaks: fillPeaks, ...filled } = await fillTo(toMeasure, size);
  return { ...(await measureFilled(toMeasure, slice)), filled, fillPeaks };
}

/** Counts only new findings: an interrupted filling has left some. */
export async function fillTo(
  { site, database, supply, options, progress }: SizeToMeasure,
  size: number,
): Promise<Filling> {
  const missing = size - supply.findings;
  progress.say(`filling: ${missing} findings more, to ${size}`);
  const service = await RunningService.start(site, database, options.log);
  const before = await findingChanges(service.pool);
  const began = performance.now();
  if (missing > 0) await fill(service, supply.zips(missing));
  await service.untilVisible(supply.findings);
  const seconds = (performance.now() - began) / 1000;
  await untilQuiet(service);
  const peaks = await service.peaks();
  await service.stop();
  return { findings: supply.findings - before, seconds, peaks };
}

/**
 * Measures `rounds` slices of new findings, the same slices again, and queries. Before that it vacuums PostgreSQL, as
 * autovacuum would do later, and restarts the programs, so that their memory is that of this size. They first process
 * a slice that is not counted, so that they are equally warm at every size.
 */
export async function measureFilled(
  { site, database, supply, options, progress }: SizeToMeasure,
  slice: number,
): Promise<Omit<SizeFigures, 'filled' | 'fillPeaks'>> {
  await database.database.pool.query('vacuum analyze');
  await database.database.pool.query('checkpoint');

  const service = await RunningService.start(site, database, options.log);
  progress.say(`a slice of ${slice} findings, not counted`);
  await uploadSlice(service, await packed(supply, slice), site.engines);
  await untilQuiet(service);
  const [findings, assets] = [supply.findings, supply.machines];
  const measured: { zips: ZipFile[]; run: SliceRun }[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const zips = await packed(supply, slice);
    const run = await uploadSlice(service, zips, site.engines);
    progress.say(`  new ${round} of ${options.rounds}: ${rate(run)} findings/s`);
    measured.push({ zips, run });
    await untilQuiet(service);
  }
  const resend: SliceRun[] = [];
  for (const { zips } of measured) {
    const run = await uploadSlice(service, zips, site.engines);
    progress.say(`  again ${resend.length + 1} of ${options.rounds}: ${rate(run)} findings/s`);
    resend.push(run);
    await untilQuiet(service);
  }
  progress.say('  queries');
  const times = await timeQueries(service.client, queries(supply.names), QUERY_REPETITIONS);
  const peaks = await service.peaks();
  await assertStored(database.database.pool, supply.findings);
  await service.stop();
  const ingest = measured.map(({ run }) => run);
  return { findings, assets, ingest, resend, queries: times, peaks };
}

/** Packs ZIPs before the measurement, because packing is work of the client. */
async function packed(supply: Supply, findings: number): Promise<ZipFile[]> {
  const zips: ZipFile[] = [];
  for await (const zip of supply.zips(findings)) zips.push(zip);
  return zips;
}

/** Waits for background work that would slow the next measurement. */
async function untilQuiet(service: RunningService): Promise<void> {
  await service.untilScored();
  await service.untilPublished();
}

const rate = ({ findings, foldedSeconds }: SliceRun): string => (findings / foldedSeconds).toFixed(0);
