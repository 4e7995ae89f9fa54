import type { MessagePort } from 'node:worker_threads';
import type { EncodableEvent } from '#libs/contracts';
import type { AssetDescribed, SignalContext, SignalReceived, UploadHeader } from '#libs/domain';
import { type UploadContext, UploadEvents } from '#libs/uploads';
import { readUploadedSignal } from '../read-upload-signal.ts';
import { sendChunks } from './chunk-port.ts';
import { keysFrom } from './key-port.ts';
import { type EntryMessage, planZip, type ZipOutcome, type ZipPlan, type ZipUpload } from './plan-zip.ts';
import { recordChunks } from './record-chunks.ts';
import { unpackEntry } from './unpack-entry.ts';
import type { ZipEntry } from './zip-directory.ts';
import { ZipRefused } from './zip-refused.ts';

export interface ZipTask {
  zip: Uint8Array;
  upload: ZipUpload;
  /** Takes the records, chunk by chunk. */
  port: MessagePort;
  /** Asks for keys; omitted: the texts of the upload are not sealed. */
  keys?: MessagePort;
}

/** Errors keep no class between threads: a refusal travels as a value. */
export type ZipResult =
  | { taken: ZipOutcome; header: UploadHeader }
  | { refused: string; errors: EntryMessage[] };

/**
 * A worker validates all of a ZIP, then returns it in order (R-ZIP-5). Memory is bounded for any decompressed size:
 * entries that the first pass could not keep are read again.
 */
export async function processZip({ zip, upload, port, keys }: ZipTask): Promise<ZipResult> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const planned = await planZip(bytes, upload, undefined, keys && keysFrom(keys));
    await sendChunks(port, recordChunks(zipEvents(bytes, planned, upload.context)));
    return { taken: planned.outcome, header: planned.seals.header(planned.plan.header) };
  } catch (error) {
    if (error instanceof ZipRefused) return { refused: error.message, errors: error.errors };
    throw error;
  } finally {
    port.close();
    keys?.close();
  }
}

function payloadOf(zip: Buffer, entry: ZipEntry, reading: SignalContext): SignalReceived | AssetDescribed {
  const read = readUploadedSignal(unpackEntry(zip, entry), reading);
  if (!read.ok) throw new Error('the second read of an entry returned a different result');
  return read.payload;
}

/** The events of a planned ZIP, in the order of its entries. */
export function* zipEvents(
  zip: Buffer,
  { plan, signals, reading, seals }: ZipPlan,
  context: UploadContext,
): Generator<EncodableEvent> {
  const events = new UploadEvents(context, plan);
  for (const { entry, entityKey, payload } of signals) {
    const signal = { entityKey, payload: payload ?? payloadOf(zip, entry, reading), entry: entry.name };
    for (const event of events.of(signal)) yield seals.seal(event);
  }
}
