import { join } from 'node:path';
import { alternate, type Benchmark, type BenchOptions, type BenchResult, resultOf } from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { CHANGE_TOPICS, SERVICE_TOPICS } from '../run/service.ts';
import { fillIntake } from './fill-intake.ts';
import { foldBare, foldByProjector } from './fold-runs.ts';

const RATIO_MIN = 0.8;

/** From a filled intake log to rows: only the projector. */
export const fold: Benchmark = {
  name: 'fold',
  summary:
    'fold of a filled intake log by the projector alone, compared with a bare consumer of the same records',
  defaults: { findings: 100_000, rounds: 2 },
  smoke: { findings: 10_000, rounds: 1 },
  logs: ['kafka'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`appending the events of ${options.findings} findings`);
  const zips = await writeZipFiles(scannedMachines(options.findings, Date.now()), join(site.folder, 'zips'));
  await site.topics.delete(SERVICE_TOPICS);
  const { url, drop } = await site.newDatabase('filling');
  const filled = await fillIntake(site, zips, url, 'kafka');
  await drop();
  progress.say(
    `the log holds ${filled.findings} findings in ${filled.records} events, ${filled.bytesEach} bytes each`,
  );
  const rounds = await alternate(
    options.rounds,
    async (round) => {
      await site.topics.delete(CHANGE_TOPICS);
      return foldByProjector(site, filled, round);
    },
    (round) => foldBare(site, filled, round),
    progress,
  );
  return resultOf('fold', rounds, { ratioMin: RATIO_MIN }, await describeMachine(site.server.pool));
}
