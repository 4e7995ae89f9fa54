import type { SideRun } from '../benchmark.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
import { assertStored } from '../run/assert-stored.ts';
import { startProducer, startWriter } from '../run/bare-programs.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { watchProcesses } from '../run/process-use.ts';
import { foldedRecords, until } from '../run/projection.ts';

const PARTITIONS = 12;

/** The bare program's run on the same ZIPs: unpacked, parsed, produced, consumed and written, with nothing decided. */
export async function ingestBare(site: BenchSite, zips: ZipFile[], round: number): Promise<SideRun> {
  const findings = signalsIn(zips);
  const topic = `bare-${round}`;
  await site.topics.create(topic, PARTITIONS);
  const { url, database, drop } = await site.newDatabase(`bare_${round}`);
  const writer = await startWriter(site, { topic, databaseUrl: url, records: 'signals' });
  const producer = await startProducer(site, { topic, zips: zips.map(({ path }) => path) });

  const programs = [producer, writer];
  const watch = await watchProcesses([...programs.map(({ watched }) => watched), ...site.engines]);
  const began = performance.now();
  producer.go();
  const isWritten = async () => (await foldedRecords(database.pool)) === findings;
  await until('the rows to be written', isWritten, programs);
  const seconds = (performance.now() - began) / 1000;
  const processes = await watch();

  await assertStored(database.pool, findings);
  for (const program of programs) await program.stop();
  await site.topics.delete([topic]);
  await drop();
  return { findings, seconds, processes, remarks: {} };
}
