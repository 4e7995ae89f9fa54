import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { INTAKE_TOPIC } from '#libs/intake';
import type { Supply } from '../data/supply.ts';
import { fill } from '../growth/slice-runs.ts';
import type { Progress } from '../progress.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import { type ProcessUse, watchProcesses } from '../run/process-use.ts';
import { foldedRecords } from '../run/projection.ts';
import { RunningService } from '../run/running-service.ts';
import { serviceEnv } from '../run/service.ts';
import { until } from '../run/until.ts';
import { diskUse, freeBytes, sizesIn, sum } from './disk.ts';

const COMMAND_MINUTES_MAX = 120;
/** Of the disk, for what else is written meanwhile. */
const SPARE_BYTES = 3e9;

/** An operation on the whole site. */
export interface Upkeep {
  name: string;
  /** Unset: the disk has no room for what it writes. */
  run?: { seconds: number; processes: ProcessUse[] };
  /** What it wrote, in bytes; unset: nothing that stays. */
  written?: number;
}

/**
 * Of a site whose programs are stopped: `verify`, `backup`, `replay`, a restore elsewhere, and with its programs the scores
 * that the replay makes necessary, and all findings again.
 */
export async function upkeepOf(
  site: BenchSite,
  database: SiteDatabase,
  supply: Supply,
  progress: Progress,
): Promise<Upkeep[]> {
  const env = serviceEnv(site, database.url, 'kafka');
  const posture = (name: string, args: string[], at = env) => command(site, name, args, at);
  const { database: tables, log } = await diskUse(site, database);
  const backup = join(site.folder, `backup-${supply.findings}`);
  const done: Upkeep[] = [];
  const add = (one: Upkeep) => {
    done.push(one);
    progress.say(`  ${one.name}: ${one.run ? `${one.run.seconds.toFixed(0)} s` : 'no room on the disk'}`);
  };

  add(await posture('verify', ['verify', '--json']));
  const backedUp = await posture('backup', ['backup', backup, '--json']);
  add({ ...backedUp, written: sum(await sizesIn(backup)) });
  add(await ifRoom(site, 'replay', tables, () => posture('replay', ['replay', '--json'])));
  await assertStored(database.database.pool, supply.findings);
  add(
    await ifRoom(site, 'restore', tables + 1.5 * log, async () => {
      const restored = await site.newDatabase(`restored_${supply.findings}`);
      // Into a log in PostgreSQL: the topics of the broker are those of the original.
      const at = { ...serviceEnv(site, restored.url, 'postgres'), DATA_DIR: join(site.folder, 'restored') };
      const run = await posture('restore', ['restore', backup, '--json'], at);
      await assertStored(restored.database.pool, supply.findings);
      await restored.drop();
      return run;
    }),
  );
  await rm(backup, { recursive: true });
  const service = await RunningService.start(site, database, 'kafka');
  add(await measured(site, service, 'scores after the replay', () => service.untilScored()));
  add(
    await ifRoom(site, 'all again', log, (name) =>
      measured(site, service, name, () => resendAll(site, service, supply)),
    ),
  );
  await service.stop();
  await assertStored(database.database.pool, supply.findings);
  return done;
}

async function ifRoom(
  site: BenchSite,
  name: string,
  bytes: number,
  work: (name: string) => Promise<Upkeep>,
): Promise<Upkeep> {
  return (await freeBytes(site)) > bytes + SPARE_BYTES ? work(name) : { name };
}

async function command(
  site: BenchSite,
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<Upkeep> {
  const watch = await watchProcesses(site.engines);
  const script = 'programs/posture.js';
  const { seconds, use } = await site.run({ name, script, args, env, minutesMax: COMMAND_MINUTES_MAX });
  return { name, run: { seconds, processes: [use, ...(await watch())] } };
}

/** What a running service does. */
async function measured(
  site: BenchSite,
  service: RunningService,
  name: string,
  work: () => Promise<void>,
): Promise<Upkeep> {
  const client = { name: 'client', pid: process.pid };
  const watch = await watchProcesses([...service.watched, ...site.engines, client]);
  const began = performance.now();
  await work();
  return { name, run: { seconds: (performance.now() - began) / 1000, processes: await watch() } };
}

/** All findings once more, unchanged, from the first request until the last is folded. */
async function resendAll(site: BenchSite, service: RunningService, supply: Supply): Promise<void> {
  await fill(service, supply.again(join(site.folder, 'again')));
  const records = await site.topics.records(INTAKE_TOPIC);
  await until(
    'all to be folded',
    async () => (await foldedRecords(service.pool)) >= records,
    service.programs,
  );
}
