import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { INTAKE_TOPIC } from '#libs/intake';
import type { Supply } from '../data/supply.ts';
import type { SizeToMeasure } from '../growth/measure-size.ts';
import { fill } from '../growth/slice-runs.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import { type ProcessUse, watchProcesses } from '../run/process-use.ts';
import { foldedRecords } from '../run/projection.ts';
import { RunningService } from '../run/running-service.ts';
import { serviceEnv } from '../run/service.ts';
import { until } from '../run/until.ts';
import { diskUse, freeBytes, sizesIn, sum } from './disk.ts';
import type { Steps } from './steps.ts';

const COMMAND_MINUTES_MAX = 360;
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
  { site, database, supply, progress }: SizeToMeasure,
  steps: Steps,
  total: number,
): Promise<Upkeep[]> {
  const env = serviceEnv(site, database.url, 'kafka');
  const posture = (name: string, args: string[], at = env) => command(site, name, args, at);
  const { database: tables, log } = await diskUse(site, database);
  const backup = join(site.folder, `backup-${total}`);
  const done: Upkeep[] = [];
  const add = async (name: string, work: () => Promise<Outcome>) => {
    const one = await steps.step(`${name} ${total}`, work);
    done.push({ name, ...one });
    progress.say(`  ${name}: ${one.run ? `${one.run.seconds.toFixed(0)} s` : 'no room on the disk'}`);
  };

  await add('verify', () => posture('verify', ['verify', '--json']));
  await add('backup', async () => {
    await rm(backup, { recursive: true, force: true });
    const backedUp = await posture('backup', ['backup', backup, '--json']);
    return { ...backedUp, written: sum(await sizesIn(backup)) };
  });
  await add('replay', () =>
    ifRoom(site, tables, async () => {
      const replayed = await posture('replay', ['replay', '--json']);
      await assertStored(database.database.pool, supply.findings);
      return replayed;
    }),
  );
  await add('restore', () =>
    ifRoom(site, tables + 1.5 * log, async () => {
      const folder = join(site.folder, 'restored');
      await rm(folder, { recursive: true, force: true });
      await (await site.keptDatabase(`restored_${total}`)).drop();
      const restored = await site.newDatabase(`restored_${total}`);
      // Into a log in PostgreSQL: the topics of the broker are those of the original.
      const at = { ...serviceEnv(site, restored.url, 'postgres'), DATA_DIR: folder };
      const run = await posture('restore', ['restore', backup, '--json'], at);
      await assertStored(restored.database.pool, supply.findings);
      await restored.drop();
      return run;
    }),
  );
  await rm(backup, { recursive: true, force: true });
  await add('start, and scores after the replay', () => startAndScore(site, database));
  await add('all again', () =>
    ifRoom(site, log, async () => {
      const resent = await resendAll(site, database, supply);
      await assertStored(database.database.pool, supply.findings);
      return resent;
    }),
  );
  return done;
}

type Outcome = Omit<Upkeep, 'name'>;

async function ifRoom(site: BenchSite, bytes: number, work: () => Promise<Outcome>): Promise<Outcome> {
  return (await freeBytes(site)) > bytes + SPARE_BYTES ? work() : {};
}

async function command(
  site: BenchSite,
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<Outcome> {
  const watch = await watchProcesses(site.engines);
  const script = 'programs/posture.js';
  const { seconds, use } = await site.run({ name, script, args, env, minutesMax: COMMAND_MINUTES_MAX });
  return { run: { seconds, processes: [use, ...(await watch())] } };
}

/** From the start of the service: a replay has all scores computed again. */
async function startAndScore(site: BenchSite, database: SiteDatabase): Promise<Outcome> {
  const watch = await watchProcesses(site.engines);
  const began = performance.now();
  const service = await RunningService.start(site, database, 'kafka');
  await service.untilScored();
  const seconds = (performance.now() - began) / 1000;
  const processes = [...(await service.peaks()), ...(await watch())];
  await service.stop();
  return { run: { seconds, processes } };
}

/**
 * All findings once more, unchanged, from the first request until the last is folded; without the CPU of the client,
 * which packs the archives at the same time.
 */
async function resendAll(site: BenchSite, database: SiteDatabase, supply: Supply): Promise<Outcome> {
  const service = await RunningService.start(site, database, 'kafka');
  await service.untilScored();
  const watch = await watchProcesses([...service.watched, ...site.engines]);
  const began = performance.now();
  await fill(service, supply.again(join(site.folder, 'again')));
  const records = await site.topics.records(INTAKE_TOPIC);
  await until(
    'all to be folded',
    async () => (await foldedRecords(service.pool)) >= records,
    service.programs,
  );
  const seconds = (performance.now() - began) / 1000;
  const processes = await watch();
  await service.stop();
  return { run: { seconds, processes } };
}
