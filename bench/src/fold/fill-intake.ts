import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#libs/config';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { openProgram, type Program } from '#libs/program';
import { planZip, type ZipUpload } from '../../../apps/gateway/src/signals/zip/plan-zip.ts';
import { recordChunks, recordsOf } from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import { zipEvents } from '../../../apps/gateway/src/signals/zip/zip-worker.ts';
import { scannedMachines } from '../data/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import type { BenchSite } from '../run/bench-site.ts';
import { serviceEnv } from '../run/service.ts';

/** What the intake log holds. */
export interface FilledIntake {
  findings: number;
  /** With what opens the partitions. */
  records: number;
  /** Of an event, on average. */
  bytesEach: number;
}

/** Fills an empty intake log on Kafka with the events of ZIPs, by the gateway's own steps. */
export async function fillIntake(site: BenchSite, findings: number): Promise<FilledIntake> {
  const zips = await writeZipFiles(scannedMachines(findings, Date.now()), join(site.folder, 'zips'));
  const { url, drop } = await site.newDatabase('filling');
  const config = readConfig(serviceEnv(site, url, 'kafka'));
  const program = await openProgram({ config, mayEmbed: false });
  let bytes = 0;
  try {
    for (const { path } of zips) bytes += await appendZip(program, await readFile(path));
    const ends = await program.log.ends(INTAKE_TOPIC);
    const signals = zips.reduce((sum, zip) => sum + zip.signals, 0);
    return {
      findings: signals,
      records: ends.reduce((sum, end) => sum + end, 0),
      bytesEach: Math.round(bytes / signals),
    };
  } finally {
    await program.resources.close();
    await drop();
  }
}

/** Answers how many bytes its events have. */
async function appendZip({ log, clock }: Program, zip: Buffer): Promise<number> {
  const upload: ZipUpload = {
    context: {
      uploadId: randomUUID(),
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
