import type { MessagePort } from 'node:worker_threads';
import type { IntakeEvent, UploadHeader } from '#libs/domain';
import { readUploadedSignal } from '../read-upload-signal.ts';
import type { UploadContext } from '../upload-events.ts';
import { UploadEvents } from '../upload-events.ts';
import { sendChunks } from './chunk-port.ts';
import { type EntryMessage, planZip, type ZipOutcome, type ZipPlan, type ZipUpload } from './plan-zip.ts';
import { recordChunks } from './record-chunks.ts';
import { unpackEntry } from './unpack-entry.ts';
import { ZipRefused } from './zip-refused.ts';

export interface ZipTask {
  zip: Uint8Array;
  upload: ZipUpload;
  /** Takes the records, chunk by chunk. */
  port: MessagePort;
}

/** Errors keep no class between threads: a refusal travels as a value. */
export type ZipResult =
  | { taken: ZipOutcome; header: UploadHeader }
  | { refused: string; errors: EntryMessage[] };

/**
 * What a worker does with a ZIP: validates all of it, then encodes it and hands it over in order (D16). The second
 * pass reads every entry anew, so that memory holds one entry at a time whatever the ZIP unpacks to.
 */
export async function processZip({ zip, upload, port }: ZipTask): Promise<ZipResult> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const planned = await planZip(bytes, upload);
    await sendChunks(port, recordChunks(zipEvents(bytes, planned, upload.context)));
    return { taken: planned.outcome, header: planned.plan.header };
  } catch (error) {
    if (error instanceof ZipRefused) return { refused: error.message, errors: error.errors };
    throw error;
  } finally {
    port.close();
  }
}

/** The events of a planned ZIP, in the order of its entries. */
export function* zipEvents(
  zip: Buffer,
  { plan, signals, reading }: ZipPlan,
  context: UploadContext,
): Generator<IntakeEvent> {
  const events = new UploadEvents(context, plan);
  for (const entry of signals) {
    const read = readUploadedSignal(unpackEntry(zip, entry), reading);
    if (!read.ok) throw new Error('an entry was read differently the second time');
    yield* events.of({ entityKey: read.entityKey, payload: read.payload, entry: entry.name });
  }
}
