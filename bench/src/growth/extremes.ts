import { join } from 'node:path';
import { assetId, entityKey } from '#libs/domain';
import { inParts, largeMachine, oneMoreOf } from '../data/large-machine.ts';
import { type ScannedMachine, scannedMachines } from '../data/scans/machines.ts';
import { smallMachines } from '../data/scans/small-machines.ts';
import { writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import type { Progress } from '../progress.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite } from '../run/bench-site.ts';
import type { ProcessUse } from '../run/process-use.ts';
import type { RunningService } from '../run/running-service.ts';
import { type QueryTimes, timeQueries } from './queries.ts';
import { type SliceRun, signalsOf, uploadSlice } from './slice-runs.ts';

const REPETITIONS = 10;
const WARM_UP_FINDINGS = 5_000;

/** The results of an upload of unusual shape. */
export interface Extreme {
  findings: number;
  assets: number;
  zips: number;
  ingest: SliceRun;
  resend: SliceRun;
  /** Queries about its data. */
  queries: QueryTimes[];
  /** Resource use of the service since its start. */
  peaks: ProcessUse[];
}

export interface Extremes {
  oneAsset: Extreme;
  manyAssets: Extreme;
  /** One more signal for the large asset. */
  oneMore: SliceRun;
}

/** Measures, on an empty service, one asset with `findings` findings and one upload of `assets` assets. */
export async function measureExtremes(
  site: BenchSite,
  service: RunningService,
  { findings, assets }: { findings: number; assets: number },
  progress: Progress,
): Promise<Extremes> {
  const pack = (name: string, machines: Iterable<ScannedMachine>) =>
    writeZipFiles(machines, join(site.folder, name));
  const began = new Date().toISOString();
  const warmUp = await pack('warm-up', scannedMachines(WARM_UP_FINDINGS, Date.now()));
  await uploadSlice(service, warmUp, site.engines);
  await service.untilPublished();

  progress.say(`one asset with ${findings} findings`);
  const large = largeMachine(findings);
  const largeZips = await pack('one-asset', inParts(large));
  const id = assetId(entityKey('machine', large.name));
  const one = await twice(site, service, largeZips);
  const oneMore = await uploadSlice(
    service,
    await pack('one-more', [oneMoreOf(large, 'one more')]),
    site.engines,
  );
  const oneAsset: Extreme = {
    ...one,
    assets: 1,
    queries: await timeQueries(service.client, ofAsset(id, began), REPETITIONS),
    peaks: await service.peaks(),
  };

  progress.say(`one ZIP that touches ${assets} assets`);
  const smallZips = await pack('many-assets', smallMachines(assets));
  if (smallZips.length !== 1) throw new Error(`${assets} small signals take ${smallZips.length} ZIPs`);
  const many = await twice(site, service, smallZips);
  await assertStored(service.pool, signalsOf(warmUp) + findings + 1 + assets);
  const manyAssets: Extreme = { ...many, assets, queries: [], peaks: await service.peaks() };
  return { oneAsset, manyAssets, oneMore };
}

/** Uploads ZIPs as new findings, and again unchanged. */
async function twice(site: BenchSite, service: RunningService, zips: ZipFile[]) {
  const ingest = await uploadSlice(service, zips, site.engines);
  await service.untilPublished();
  const resend = await uploadSlice(service, zips, site.engines);
  return { findings: signalsOf(zips), zips: zips.length, ingest, resend };
}

const ofAsset = (id: string, from: string) => [
  { name: 'the asset', path: () => `assets/${id}` },
  { name: 'its findings: first page', path: () => `assets/${id}/findings?limit=50` },
  { name: 'its findings: severest first', path: () => `assets/${id}/findings?sort=-severity&limit=50` },
  { name: 'its findings: 500', path: () => `assets/${id}/findings?limit=500` },
  { name: 'its findings: counts', path: () => `findings/counts?assetId=${id}` },
  { name: 'its score, each finding', path: () => `assets/${id}/score` },
  { name: 'what moved its score', path: () => `assets/${id}/score/explain?from=${from}` },
];
