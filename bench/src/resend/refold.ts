import { join } from 'node:path';
import {
  type Benchmark,
  type BenchOptions,
  type BenchResult,
  inOrder,
  type Round,
  resultOf,
} from '../benchmark.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import { fillIntake } from '../fold/fill-intake.ts';
import { foldOnto } from '../fold/fold-runs.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import { throughputReport } from '../report.ts';
import { assertStored } from '../run/assert-stored.ts';
import { assertUnchanged } from '../run/assert-unchanged.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { SERVICE_TOPICS } from '../run/service.ts';
import { settle } from '../run/settle.ts';

const RATIO_MIN = 4;

/** The projector's fold of ZIPs that were sent again. The baseline is its fold of their first upload. */
export const refold: Benchmark = {
  name: 'refold',
  summary:
    'fold of a log of known findings by the projector alone, compared with the same findings when they were new',
  defaults: { findings: 100_000, rounds: 5 },
  logs: ['kafka'],
  run: (options, progress) =>
    onSite(options, progress, async (site) => throughputReport(await measure(site, options, progress))),
};

async function measure(site: BenchSite, options: BenchOptions, progress: Progress): Promise<BenchResult> {
  progress.say(`packing ${options.findings} findings`);
  const zips = await writeZipFiles(scannedMachines(options.findings, Date.now()), join(site.folder, 'zips'));
  const rounds = await inOrder(options.rounds, (round) => foldTwice(site, zips, round), progress);
  return resultOf('refold', rounds, { ratioMin: RATIO_MIN }, await describeMachine(site.server.pool));
}

/** The second fold uses a restarted projector, which must read the state of the assets from the tables. */
async function foldTwice(site: BenchSite, zips: ZipFile[], round: number): Promise<Round> {
  await site.topics.delete(SERVICE_TOPICS);
  const made = await site.newDatabase(`projector_${round}`);
  const filled = await fillIntake(site, zips, made.url, 'kafka');
  const baseline = await foldOnto(site, made, filled);
  const again = await fillIntake(site, zips, made.url, 'kafka');
  await settle(made.database);
  const measured = await foldOnto(site, made, again, filled.records);
  await assertStored(made.database.pool, again.findings);
  await assertUnchanged(made.database.pool, again.uploads, again.findings);
  await made.drop();
  return { measured, baseline };
}
