import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readConfig } from '#libs/config';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { openProgram, type Program } from '#libs/program';
import { planZip, type ZipUpload } from '../../../apps/gateway/src/signals/zip/plan-zip.ts';
import { recordChunks, recordsOf } from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import { zipEvents } from '../../../apps/gateway/src/signals/zip/zip-worker.ts';
import type { BenchOptions } from '../benchmark.ts';
import type { ZipFile } from '../data/zip-files.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { serviceEnv } from '../run/service.ts';

/** What the intake log holds. */
export interface FilledIntake {
  /** Of the ZIPs. */
  findings: number;
  /** In all, with what opens the partitions. */
  records: number;
  /** Of an event, on average. */
  bytesEach: number;
  /** Ids of what was appended now. */
  uploads: string[];
}

/**
 * Appends the events of ZIPs to the intake log of a database, by the gateway's own steps.
 * @param log where it is
 */
export async function fillIntake(
  site: BenchSite,
  zips: ZipFile[],
  databaseUrl: string,
  log: BenchOptions['log'],
): Promise<FilledIntake> {
  const config = readConfig(serviceEnv(site, databaseUrl, log));
  const program = await openProgram({ config, mayEmbed: false });
  let bytes = 0;
  const uploads: string[] = [];
  try {
    for (const { path } of zips) {
      uploads.push(randomUUID());
      bytes += await appendZip(program, await readFile(path), uploads.at(-1)!);
    }
    const ends = await program.log.ends(INTAKE_TOPIC);
    const findings = zips.reduce((sum, zip) => sum + zip.signals, 0);
    return {
      findings,
      records: ends.reduce((sum, end) => sum + end, 0),
      bytesEach: Math.round(bytes / findings),
      uploads,
    };
  } finally {
    await program.resources.close();
  }
}

/** Answers how many bytes its events have. */
async function appendZip({ log, clock }: Program, zip: Buffer, uploadId: string): Promise<number> {
  const upload: ZipUpload = {
    context: {
      uploadId,
      kind: 'zip',
      receivedAt: clock(),
      user: 'admin',
      requestId: 'req-1',
      settingsVersion: DEFAULT_SETTINGS.version,
      partitions: log.partitions,
    },
    settings: DEFAULT_SETTINGS,
    skipsInvalid: false,
  };
  let bytes = 0;
  for (const chunk of recordChunks(zipEvents(zip, await planZip(zip, upload), upload.context))) {
    bytes += chunk.bytes.length;
    await log.append(INTAKE_TOPIC, recordsOf(chunk));
  }
  return bytes;
}
