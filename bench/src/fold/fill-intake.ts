import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#libs/config';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { openProgram } from '#libs/program';
import { planZip, type ZipUpload } from '../../../apps/gateway/src/signals/zip/plan-zip.ts';
import {
  type RecordChunk,
  recordChunks,
  recordsOf,
} from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import { zipEvents } from '../../../apps/gateway/src/signals/zip/zip-worker.ts';
import { scannedMachines } from '../data/machines.ts';
import { writeZipFiles, type ZipFile } from '../data/zip-files.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { SERVICE_TOPICS, serviceEnv } from '../run/service.ts';

/** LOG_PARTITIONS where nothing else is said. */
export const PARTITIONS = 12;

/** What the intake log holds. */
export interface FilledIntake {
  findings: number;
  /** With what opens the partitions. */
  records: number;
  /** Of an event, on average. */
  bytesEach: number;
}

/** Fills an intake log on Kafka, made anew, with the events of ZIPs, by the gateway's own steps. */
export async function fillIntake(site: BenchSite, findings: number): Promise<FilledIntake> {
  const zips = await packedZips(site, findings);
  await site.topics.delete(SERVICE_TOPICS);
  const { url, drop } = await site.newDatabase('filling');
  try {
    const signals = findingsIn(zips);
    const { records, bytes } = await appendChunks(site, url, chunksOfAll(zips));
    return { findings: signals, records, bytesEach: Math.round(bytes / signals) };
  } finally {
    await drop();
  }
}

/** What ZIPs are to the gateway, in memory, ready to be appended. */
export interface PackedEvents {
  findings: number;
  chunks: RecordChunk[];
}

export async function packEvents(site: BenchSite, findings: number): Promise<PackedEvents> {
  const zips = await packedZips(site, findings);
  const chunks: RecordChunk[] = [];
  for await (const chunk of chunksOfAll(zips)) chunks.push(chunk);
  return { findings: findingsIn(zips), chunks };
}

/** Appends to the log of a database, which is opened where it is new; answers what that log then holds. */
export async function appendChunks(
  site: BenchSite,
  databaseUrl: string,
  chunks: Iterable<RecordChunk> | AsyncIterable<RecordChunk>,
): Promise<{ records: number; bytes: number }> {
  const config = readConfig(serviceEnv(site, databaseUrl, 'kafka'));
  const { log, resources } = await openProgram({ config, mayEmbed: false });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.bytes.length;
      await log.append(INTAKE_TOPIC, recordsOf(chunk));
    }
    const ends = await log.ends(INTAKE_TOPIC);
    return { records: ends.reduce((sum, end) => sum + end, 0), bytes };
  } finally {
    await resources.close();
  }
}

const packedZips = (site: BenchSite, findings: number): Promise<ZipFile[]> =>
  writeZipFiles(scannedMachines(findings, Date.now()), join(site.folder, 'zips'));

const findingsIn = (zips: ZipFile[]): number => zips.reduce((sum, { signals }) => sum + signals, 0);

async function* chunksOfAll(zips: ZipFile[]): AsyncGenerator<RecordChunk> {
  for (const { path } of zips) yield* await chunksOf(await readFile(path));
}

async function chunksOf(zip: Buffer): Promise<Iterable<RecordChunk>> {
  const upload: ZipUpload = {
    context: {
      uploadId: randomUUID(),
      kind: 'zip',
      receivedAt: Date.now(),
      user: 'admin',
      requestId: 'req-1',
      settingsVersion: DEFAULT_SETTINGS.version,
      partitions: PARTITIONS,
    },
    settings: DEFAULT_SETTINGS,
    skipsInvalid: false,
  };
  return recordChunks(zipEvents(zip, await planZip(zip, upload), upload.context));
}
