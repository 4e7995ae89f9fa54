import { join } from 'node:path';
import { alternate, type Benchmark, type BenchOptions, type BenchResult, resultOf } from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { fillIntake } from '../fold/fill-intake.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { foldedRecords } from '../run/projection.ts';
import { serviceEnv, startApps } from '../run/service.ts';
import { until } from '../run/until.ts';
import { copyBare, type ReplayedSite, replayByCommand } from './replay-runs.ts';

const RATIO_MIN = 0.5;

/** `posture replay` of a site whose tables contain all rows already. */
export const replay: Benchmark = {
  name: 'replay',
  summary: 'posture replay of a filled log, compared with a bare program that reads it and copies the rows',
  defaults: { findings: 100_000, rounds: 5 },
  logs: ['kafka', 'postgres'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  const replayed = await filledSite(site, options, progress);
  const rounds = await alternate(
    options.rounds,
    () => replayByCommand(site, replayed),
    (round) => copyBare(site, replayed, round),
    progress,
  );
  const name = options.log === 'kafka' ? 'replay' : 'replay --log postgres';
  return resultOf(name, rounds, { ratioMin: RATIO_MIN }, await describeMachine(site.server.pool));
}

/** A log, and the projector's fold of it. */
async function filledSite(
  site: BenchSite,
  { findings, log }: BenchOptions,
  progress: Progress,
): Promise<ReplayedSite> {
  progress.say(`appending the events of ${findings} findings`);
  const zips = await writeZipFiles(scannedMachines(findings, Date.now()), join(site.folder, 'zips'));
  const made = await site.newDatabase('replayed');
  const filled = await fillIntake(site, zips, made.url, log);
  progress.say(`the projector folds them: ${filled.findings} findings in ${filled.records} records`);
  const [projector] = await startApps(site, ['projector'], serviceEnv(site, made.url, log));
  const isFolded = async () => (await foldedRecords(made.database.pool)) === filled.records;
  await until('the log to be folded', isFolded, [projector!]);
  await projector!.stop();
  return { ...made, filled, log };
}
