import type { BenchOptions, Round } from '../benchmark.ts';
import type { SentZips } from '../data/sent-zips.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
import { assertStored } from '../run/assert-stored.ts';
import { assertUnchanged } from '../run/assert-unchanged.ts';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import { isPublished } from '../run/projection.ts';
import { SERVICE_TOPICS, signedIn, startService } from '../run/service.ts';
import { settle } from '../run/settle.ts';
import { until } from '../run/until.ts';
import { type FoldedUploads, uploadUntilFolded } from '../run/upload-until-folded.ts';

/**
 * Uploads ZIPs twice to the same service, and restarts it in between. The programs of both sides are then equally warm,
 * and the second time they read the state of the assets from the tables, as they would on the next day.
 */
export async function resendToService(
  site: BenchSite,
  zips: SentZips,
  log: BenchOptions['log'],
  round: number,
): Promise<Round> {
  await site.topics.delete(SERVICE_TOPICS);
  const made = await site.newDatabase(`service_${round}`);
  const { run: baseline } = await uploadOnce(site, made, zips, log);
  await settle(made.database);
  const { run: measured, uploads } = await uploadOnce(site, made, zips, log);
  const uncounted = signalsIn(zips.warming);
  await assertStored(made.database.pool, uncounted + measured.findings);
  await assertUnchanged(made.database.pool, uploads, measured.findings);
  await made.drop();
  return { measured, baseline };
}

/** Before and after the counted part, everything is published and scored. */
async function uploadOnce(
  site: BenchSite,
  { url, database }: SiteDatabase,
  { warming, counted }: SentZips,
  log: BenchOptions['log'],
): Promise<FoldedUploads> {
  const programs = await startService(site, url, log);
  const client = await signedIn(programs[0]!.address);
  const untilDone = async (zips: ZipFile[]) => {
    await until('the changes to be published', () => isPublished(database.pool), programs);
    // On Kafka no scorer runs here.
    if (log === 'postgres') await client.untilScored(zips.reduce((sum, { machines }) => sum + machines, 0));
  };
  await uploadUntilFolded(site, programs, client, warming);
  await untilDone(warming);
  const folded = await uploadUntilFolded(site, programs, client, counted);
  await untilDone([...warming, ...counted]);
  for (const program of programs) await program.stop();
  return folded;
}
