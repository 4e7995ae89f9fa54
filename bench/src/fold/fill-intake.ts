import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readConfig } from '#libs/config';
import { DEFAULT_SETTINGS, readingAt } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { openProgram } from '#libs/program';
import { planZip, type ZipUpload } from '../../../apps/gateway/src/signals/zip/plan-zip.ts';
import {
  type RecordChunk,
  recordChunks,
  recordsOf,
} from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import { zipEvents } from '../../../apps/gateway/src/signals/zip/zip-worker.ts';
import type { BenchOptions } from '../benchmark.ts';
import { signalsIn, type ZipFile } from '../data/zip-files.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { serviceEnv } from '../run/service.ts';

/** The default of LOG_PARTITIONS. */
export const PARTITIONS = 12;

/** The content of the intake log. */
export interface FilledIntake {
  /** Number of findings in the ZIPs. */
  findings: number;
  /** Number of records, including the opening events of partitions. */
  records: number;
  /** Average size of an event. */
  bytesEach: number;
  /** Ids of the uploads that this call appended. */
  uploads: string[];
}

/**
 * Appends the events of ZIPs to the intake log, with the code of the gateway.
 * @param databaseUrl its database contains the log if `log` is `postgres`
 */
export async function fillIntake(
  site: BenchSite,
  zips: ZipFile[],
  databaseUrl: string,
  log: BenchOptions['log'],
): Promise<FilledIntake> {
  const uploads = zips.map(() => randomUUID());
  const { records, bytes } = await appendChunks(site, databaseUrl, chunksOf(zips, uploads), log);
  const findings = signalsIn(zips);
  return { findings, records, bytesEach: Math.round(bytes / findings), uploads };
}

/** Converts ZIPs to records, as the gateway does; keeps them in memory. */
export async function packEvents(zips: ZipFile[]): Promise<RecordChunk[]> {
  const chunks: RecordChunk[] = [];
  const uploads = zips.map(() => randomUUID());
  for await (const chunk of chunksOf(zips, uploads)) chunks.push(chunk);
  return chunks;
}

/** Appends to the log, and creates it if it is missing. Returns the number of its records, and the bytes appended. */
export async function appendChunks(
  site: BenchSite,
  databaseUrl: string,
  chunks: Iterable<RecordChunk> | AsyncIterable<RecordChunk>,
  kind: BenchOptions['log'],
): Promise<{ records: number; bytes: number }> {
  const config = readConfig(serviceEnv(site, databaseUrl, kind));
  const { log, resources } = await openProgram({ name: 'bench', config, allowEmbeddedDatabase: false });
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

async function* chunksOf(zips: ZipFile[], uploads: string[]): AsyncGenerator<RecordChunk> {
  for (const [i, { path }] of zips.entries()) yield* await chunksOfOne(await readFile(path), uploads[i]!);
}

async function chunksOfOne(zip: Buffer, uploadId: string): Promise<Iterable<RecordChunk>> {
  const upload: ZipUpload = {
    context: {
      uploadId,
      kind: 'zip',
      ...readingAt(Date.now()),
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
