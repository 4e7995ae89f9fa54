import type pg from 'pg';
import { INTAKE_TOPIC } from '#libs/intake';
import type { SideRun } from '../benchmark.ts';
import { WARM_UP_SHARE } from '../data/sent-zips.ts';
import { assertStored } from '../run/assert-stored.ts';
import { startWriter } from '../run/bare-programs.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import type { ChildProgram } from '../run/child-program.ts';
import { type ProcessUse, totalCpuSeconds, watchProcesses } from '../run/process-use.ts';
import { foldedRecords, isPublished, publishedFindings } from '../run/projection.ts';
import { serviceEnv, startApps } from '../run/service.ts';
import { until } from '../run/until.ts';
import type { FilledIntake } from './fill-intake.ts';

/** The run of the projector, without other programs, on an empty database. */
export async function foldByProjector(
  site: BenchSite,
  filled: FilledIntake,
  round: number,
): Promise<SideRun> {
  const made = await site.newDatabase(`projector_${round}`);
  const run = await foldOnto(site, made, filled);
  await assertStored(made.database.pool, filled.findings);
  await made.drop();
  return run;
}

/**
 * Runs only a projector until it has folded the log, whose first `from` records are already folded, and has published
 * the changes.
 */
export async function foldOnto(
  site: BenchSite,
  { url, database }: SiteDatabase,
  filled: FilledIntake,
  from = 0,
): Promise<SideRun> {
  const starting = startApps(site, ['projector'], serviceEnv(site, url, 'kafka'));
  const folding = await untilFolded(site, database.pool, filled, starting, from);
  const { program, began, watch, publishedBefore } = folding;
  const published = () => isPublished(database.pool);
  await until('the changes to be published', published, [program]);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = totalCpuSeconds(await watch());
  const findings = (await publishedFindings(database.pool)) - publishedBefore;
  await program.stop();
  // Findings that were folded but not published at the start of the clock are counted and published here.
  return { ...folding.run, ...(findings > 0 && { published: { findings, seconds, cpuSeconds } }) };
}

/** The bare consumer's run on the same records; it decodes them from Avro, as it needs their values. */
export async function foldBare(site: BenchSite, filled: FilledIntake, round: number): Promise<SideRun> {
  const { url, database, drop } = await site.newDatabase(`bare_${round}`);
  const starting = startWriter(site, { topic: INTAKE_TOPIC, databaseUrl: url, records: 'events' });
  const { program, run } = await untilFolded(
    site,
    database.pool,
    filled,
    starting.then((program) => [program]),
  );
  await assertStored(database.pool, filled.findings);
  await program.stop();
  await drop();
  return run;
}

interface Folding {
  program: ChildProgram;
  run: SideRun;
  /** By `performance.now()`. */
  began: number;
  /** Resources used by each process since then. */
  watch(): Promise<ProcessUse[]>;
  /** Changes of findings that were published before `began`. */
  publishedBefore: number;
}

/**
 * The clock starts when a part of the records is folded, to exclude the start of the program, its join of the group and
 * its compilation. The findings of this part are not counted.
 * @param from number of records that are already folded
 */
async function untilFolded(
  site: BenchSite,
  pool: pg.Pool,
  { records, findings }: FilledIntake,
  starting: Promise<ChildProgram[]>,
  from = 0,
): Promise<Folding> {
  let first = from;
  const hasStarted = async () => {
    first = await foldedRecords(pool);
    return first > from + (records - from) * WARM_UP_SHARE;
  };
  const [[program]] = await Promise.all([starting, until('the first rows', hasStarted)]);
  const publishedBefore = await publishedFindings(pool);
  const began = performance.now();
  const watch = await watchProcesses([program!.watched, ...site.engines]);
  const isFolded = async () => (await foldedRecords(pool)) === records;
  await until('the log to be folded', isFolded, [program!]);
  const seconds = (performance.now() - began) / 1000;
  const run = { findings: findings - (first - from), seconds, processes: await watch(), remarks: {} };
  return { program: program!, began, run, watch, publishedBefore };
}
