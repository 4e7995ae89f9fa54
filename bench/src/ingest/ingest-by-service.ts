import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import { assetId, entityKey } from '#libs/domain';
import type { BenchOptions, SideRun } from '../benchmark.ts';
import type { ZipFile } from '../data/zip-files.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite } from '../run/bench-site.ts';
import type { HttpClient } from '../run/http-client.ts';
import { watchProcesses } from '../run/process-use.ts';
import { isPublished, until } from '../run/projection.ts';
import { SERVICE_TOPICS, serviceEnv, signedIn, startApps } from '../run/service.ts';

const UPLOADS_AT_ONCE = 4;

/** The service's run: uploads, several at a time, until each is folded and the last machine's findings are listed. */
export async function ingestByService(
  site: BenchSite,
  zips: ZipFile[],
  { log, round }: Pick<BenchOptions, 'log'> & { round: number },
): Promise<SideRun> {
  const findings = zips.reduce((sum, zip) => sum + zip.signals, 0);
  await site.topics.delete(SERVICE_TOPICS);
  const { url, database, drop } = await site.newDatabase(`service_${round}`);
  const apps = log === 'kafka' ? (['gateway', 'projector'] as const) : (['standalone'] as const);
  const programs = await startApps(site, apps, serviceEnv(site, url, log));
  const client = await signedIn(programs[0]!.address);

  const watch = await watchProcesses([
    ...programs.map(({ watched }) => watched),
    ...site.engines,
    { name: 'client', pid: process.pid },
  ]);
  const began = performance.now();
  const uploads = await uploadAll(client, zips);
  const answered = performance.now();
  for (const id of uploads) await client.untilFolded(id);
  await assertListed(client, zips.at(-1)!.last);
  const folded = performance.now();
  const processes = await watch();

  const published = () => isPublished(database.pool);
  await until('the changes to be published', published, programs);
  const publishedSeconds = (performance.now() - began) / 1000;
  await assertStored(database.pool, findings);
  for (const program of programs) await program.stop();
  await drop();
  return {
    findings,
    seconds: (folded - began) / 1000,
    processes,
    remarks: {
      'last ZIP answered after': `${((answered - began) / 1000).toFixed(1)} s`,
      'until published': `${(findings / publishedSeconds).toFixed(0)} findings/s`,
    },
  };
}

async function uploadAll(client: HttpClient, zips: ZipFile[]): Promise<string[]> {
  const limit = pLimit(UPLOADS_AT_ONCE);
  return Promise.all(zips.map(({ path }) => limit(async () => client.uploadZip(await readFile(path)))));
}

async function assertListed(client: HttpClient, { name, signals }: ZipFile['last']): Promise<void> {
  const listed = await client.findingsOf(assetId(entityKey('machine', name)));
  if (listed !== signals) throw new Error(`${name} lists ${listed} findings, not ${signals}`);
}
