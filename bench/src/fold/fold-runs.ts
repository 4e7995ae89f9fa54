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

/** The projector's run: it is started alone, on an empty database. */
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

/** Starts a projector alone, until it has folded what the log holds behind `from` records, and has published that. */
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
  // What was folded and not published when the clock started is counted here, and published here.
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
  /** What each process has taken since then. */
  watch(): Promise<ProcessUse[]>;
  /** Changes of findings that were published then. */
  publishedBefore: number;
}

/**
 * The clock starts when a part of the rows is there: how long a program takes to start, to join its group and to be
 * compiled is no matter of the fold. What those rows hold is not counted.
 * @param from records that were folded before
 */
async function untilFolded(
  site: BenchSite,
  pool: pg.Pool,
  { records, findings }: FilledIntake,
  starting: Promise<ChildProgram[]>,
  from = 0,
): Promise<Folding> {
  let first = from;
  const hasBegun = async () => {
    first = await foldedRecords(pool);
    return first > from + (records - from) * WARM_UP_SHARE;
  };
  const [[program]] = await Promise.all([starting, until('the first rows', hasBegun)]);
  const publishedBefore = await publishedFindings(pool);
  const began = performance.now();
  const watch = await watchProcesses([program!.watched, ...site.engines]);
  const isFolded = async () => (await foldedRecords(pool)) === records;
  await until('the log to be folded', isFolded, [program!]);
  const seconds = (performance.now() - began) / 1000;
  const run = { findings: findings - (first - from), seconds, processes: await watch(), remarks: {} };
  return { program: program!, began, run, watch, publishedBefore };
}
