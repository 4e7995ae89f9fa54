import { join } from 'node:path';
import { alternate, type Benchmark, type BenchOptions, type BenchResult, resultOf } from '../benchmark.ts';
import { packZips } from '../data/sent-zips.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
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
  summary: '5 MB ZIPs of new findings over HTTP until queryable, compared with a bare program without logic',
  defaults: { findings: 100_000, rounds: 2 },
  smoke: { findings: 6_000, rounds: 1 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const zips = await packZips(options.findings, join(site.folder, 'zips'));
  progress.say(`${inWords(zips.counted)}, and before them ${inWords(zips.warming)}, not counted`);
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
    {
      ratioMin: RATIO_MIN,
      figureMin: FINDINGS_PER_SECOND_MIN,
      ...(options.log === 'postgres' && { beside: 'the bare programs on Kafka' }),
    },
    await describeMachine(site.server.pool),
  );
}

function inWords(zips: ZipFile[]): string {
  const signals = signalsIn(zips);
  const largest = Math.max(...zips.map(({ bytes }) => bytes));
  return `${zips.length} ZIPs of up to ${(largest / 1024 ** 2).toFixed(2)} MB with ${signals} findings`;
}
