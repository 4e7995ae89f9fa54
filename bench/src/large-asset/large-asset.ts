import { join } from 'node:path';
import { LargeAssets, scorePartition } from '#libs/scores';
import {
  type Benchmark,
  type BenchOptions,
  type BenchResult,
  inOrder,
  resultOf,
  type SideRun,
} from '../benchmark.ts';
import { inParts, largeMachine, oneMoreOf } from '../data/large-machine.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { fillIntake, PARTITIONS } from '../fold/fill-intake.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { type BenchSite, onSite, type SiteDatabase } from '../run/bench-site.ts';
import { watchProcesses } from '../run/process-use.ts';
import { foldedRecords } from '../run/projection.ts';
import { serviceEnv, startApps } from '../run/service.ts';
import { until } from '../run/until.ts';

/** A change reads none of the other findings. */
const RATIO_MIN = 10;

/** The scorer of one asset with very many findings, after a change of one of them. */
export const largeAsset: Benchmark = {
  name: 'large-asset',
  summary:
    'the score of one asset with all findings of the run after a change of one, compared with a scorer that keeps nothing in memory',
  defaults: { findings: 50_000, rounds: 5 },
  logs: ['kafka'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  const made = await site.newDatabase('large_asset');
  const env = serviceEnv(site, made.url, 'kafka');
  const machine = largeMachine(options.findings);
  progress.say(`appending one asset with ${options.findings} findings`);
  const programs = await startApps(site, ['projector'], env);
  let changes = 0;
  const append = async (zips: Awaited<ReturnType<typeof writeZipFiles>>) => {
    const { records } = await fillIntake(site, zips, made.url, 'kafka');
    const isFolded = async () => (await foldedRecords(made.database.pool)) >= records;
    await until('the log to be folded', isFolded, programs);
  };
  const change = async () => {
    changes += 1;
    const one = oneMoreOf(machine, `change ${changes}`);
    await append(await writeZipFiles([one], join(site.folder, `change-${changes}`)));
  };
  await append(await writeZipFiles(inParts(machine), join(site.folder, 'large')));
  const large = new LargeAssets();
  await score(site, made, large);
  const side = async (kept?: LargeAssets) => {
    await change();
    return score(site, made, kept);
  };
  const rounds = await inOrder(
    options.rounds,
    async () => ({ baseline: await side(), measured: await side(large) }),
    progress,
  );
  for (const program of programs) await program.stop();
  await made.drop();
  return resultOf(
    'large-asset',
    rounds,
    { ratioMin: RATIO_MIN, unit: 'assets' },
    await describeMachine(site.server.pool),
  );
}

/** Scores all partitions in this process. */
async function score(
  { engines }: BenchSite,
  { database }: SiteDatabase,
  large?: LargeAssets,
): Promise<SideRun> {
  const watch = await watchProcesses([...engines, { name: 'scorer', pid: process.pid }]);
  const began = performance.now();
  for (let partition = 0; partition < PARTITIONS; partition++) {
    while ((await scorePartition(database.db, partition, Date.now(), large)).assets > 0);
  }
  const seconds = (performance.now() - began) / 1000;
  return { findings: 1, seconds, processes: await watch(), remarks: {} };
}
