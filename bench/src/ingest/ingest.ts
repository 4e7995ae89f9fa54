import { join } from 'node:path';
import { alternate, type Benchmark, type BenchOptions, type BenchResult, resultOf } from '../benchmark.ts';
import { scannedMachines } from '../data/machines.ts';
import { signalsIn, writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { ingestBare } from './ingest-bare.ts';
import { ingestByService } from './ingest-by-service.ts';

const RATIO_MIN = 0.75;
const FINDINGS_PER_SECOND_MIN = 10_000;

/** ZIPs of new findings, from the first request until the last finding is queryable. */
export const ingest: Benchmark = {
  name: 'ingest',
  summary: '5 MB ZIPs of new findings over HTTP until queryable, beside a bare program without logic',
  defaults: { findings: 100_000, rounds: 2 },
  smoke: { findings: 6_000, rounds: 1 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const machines = scannedMachines(options.findings, Date.now());
  const zips = await writeZipFiles(machines, join(site.folder, 'zips'));
  progress.say(`${inWords(zips)}; one of them goes through both sides first, not counted`);
  await ingestBare(site, zips.slice(0, 1), 0);
  await ingestByService(site, zips.slice(0, 1), { ...options, round: 0 });
  const rounds = await alternate(
    options.rounds,
    (round) => ingestByService(site, zips, { ...options, round }),
    (round) => ingestBare(site, zips, round),
    progress,
  );
  const name = options.log === 'kafka' ? 'ingest' : 'ingest --log postgres';
  return resultOf(
    name,
    rounds,
    { ratioMin: RATIO_MIN, figureMin: FINDINGS_PER_SECOND_MIN },
    await describeMachine(site.server.pool),
  );
}

function inWords(zips: ZipFile[]): string {
  const signals = signalsIn(zips);
  const largest = Math.max(...zips.map(({ bytes }) => bytes));
  return `${zips.length} ZIPs of up to ${(largest / 1024 ** 2).toFixed(2)} MB with ${signals} findings`;
}
