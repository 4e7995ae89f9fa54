import type { BenchOptions, SideRun } from '../benchmark.ts';
import type { SentZips } from '../data/sent-zips.ts';
import { signalsIn } from '../data/zip-files.ts';
import { assertStored } from '../run/assert-stored.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { totalCpuSeconds } from '../run/process-use.ts';
import { isPublished } from '../run/projection.ts';
import { SERVICE_TOPICS, signedIn, startService } from '../run/service.ts';
import { until } from '../run/until.ts';
import { uploadUntilFolded } from '../run/upload-until-folded.ts';

/** The service's run: uploads, several at a time, until each is folded and the last machine's findings are listed. */
export async function ingestByService(
  site: BenchSite,
  { warming, counted }: SentZips,
  { log, round, env = {} }: Pick<BenchOptions, 'log'> & { round: number; env?: Record<string, string> },
): Promise<SideRun> {
  await site.topics.delete(SERVICE_TOPICS);
  const { url, database, drop } = await site.newDatabase(`service_${round}`);
  const programs = await startService(site, url, log, env);
  const client = await signedIn(programs[0]!.address);
  const untilPublished = () =>
    until('the changes to be published', () => isPublished(database.pool), programs);
  await uploadUntilFolded(site, programs, client, warming);
  await untilPublished();

  const { run, began, watch } = await uploadUntilFolded(site, programs, client, counted);
  await untilPublished();
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = totalCpuSeconds(await watch());
  await assertStored(database.pool, signalsIn(warming) + run.findings);
  for (const program of programs) await program.stop();
  await drop();
  return { ...run, published: { findings: run.findings, seconds, cpuSeconds } };
}
