import { INTAKE_TOPIC } from '#libs/intake';
import type { BenchOptions, SideRun } from '../benchmark.ts';
import type { FilledIntake } from '../fold/fill-intake.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import { watchProcesses } from '../run/process-use.ts';
import { foldedRecords } from '../run/projection.ts';
import { serviceEnv } from '../run/service.ts';
import { settle } from '../run/settle.ts';
import { fingerprintOf } from './fingerprint.ts';

/** A database without writers, and the log from which it was folded. */
export interface ReplayedSite extends SiteDatabase {
  filled: FilledIntake;
  log: BenchOptions['log'];
}

/** The command's run, from its start to its end. Fails unless it has replaced the tables by tables with equal rows. */
export async function replayByCommand(
  site: BenchSite,
  { url, database, filled, log }: ReplayedSite,
): Promise<SideRun> {
  const { pool } = database;
  const before = await fingerprintOf(pool);
  await settle(database);
  const watch = await watchProcesses(site.engines);
  const { seconds, use, output } = await site.run({
    name: 'posture replay',
    script: 'programs/posture.js',
    args: ['replay', '--json'],
    env: serviceEnv(site, url, log),
  });
  const processes = [use, ...(await watch())];

  const after = await fingerprintOf(pool);
  if (after.rows !== before.rows) throw new Error('the replay wrote different rows than the projector');
  if (after.tables === before.tables) throw new Error('the replay replaced no tables');
  const { records } = JSON.parse(output);
  if (records !== filled.records) throw new Error(`${records} records were replayed, not ${filled.records}`);
  await assertStored(pool, filled.findings);
  return { findings: filled.findings, seconds, processes, remarks: {} };
}

/** The bare program's run on the same log, into empty tables, from its start to its end. */
export async function copyBare(
  site: BenchSite,
  { url: logUrl, filled, log }: ReplayedSite,
  round: number,
): Promise<SideRun> {
  const { url, database, drop } = await site.newDatabase(`bare_${round}`);
  const watch = await watchProcesses(site.engines);
  const { seconds, use } = await site.run({
    name: 'bare copy',
    script: 'bench/src/baseline/copy-rows.js',
    env: {
      BENCH_DATABASE: url,
      BENCH_TOPIC: INTAKE_TOPIC,
      ...(log === 'kafka' ? { BENCH_BROKERS: site.brokers } : { BENCH_LOG_DATABASE: logUrl }),
    },
  });
  const processes = [use, ...(await watch())];

  const copied = await foldedRecords(database.pool);
  if (copied !== filled.records) throw new Error(`${copied} records were read, not ${filled.records}`);
  await assertStored(database.pool, filled.findings);
  await drop();
  return { findings: filled.findings, seconds, processes, remarks: {} };
}
