import type { SideRun } from '../benchmark.ts';
import type { SentZips } from '../data/sent-zips.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
import { assertStored } from '../run/assert-stored.ts';
import { startProducer, startWriter } from '../run/bare-programs.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { watchProcesses } from '../run/process-use.ts';
import { foldedRecords } from '../run/projection.ts';
import { until } from '../run/until.ts';

const PARTITIONS = 12;

/** The bare program's run on the same ZIPs: it unpacks, parses, produces, consumes and writes them without any rules. */
export async function ingestBare(
  site: BenchSite,
  { warming, counted }: SentZips,
  round: number,
): Promise<SideRun> {
  const findings = signalsIn(counted);
  const all = signalsIn(warming) + findings;
  const topic = `bare-${round}`;
  await site.topics.create(topic, PARTITIONS);
  const { url, database, drop } = await site.newDatabase(`bare_${round}`);
  const writer = await startWriter(site, { topic, databaseUrl: url, records: 'signals' });
  const producer = await startProducer(site, topic);
  const programs = [producer, writer];
  const produce = (zips: ZipFile[]) => producer.writeLine(JSON.stringify(zips.map(({ path }) => path)));
  const untilWritten = (rows: number) =>
    until('the rows to be written', async () => (await foldedRecords(database.pool)) === rows, programs);

  produce(warming);
  await untilWritten(signalsIn(warming));
  const watch = await watchProcesses([...programs.map(({ watched }) => watched), ...site.engines]);
  const began = performance.now();
  produce(counted);
  await untilWritten(all);
  const seconds = (performance.now() - began) / 1000;
  const processes = await watch();

  await assertStored(database.pool, all);
  for (const program of programs) await program.stop();
  await site.topics.delete([topic]);
  await drop();
  return { findings, seconds, processes, remarks: {} };
}
