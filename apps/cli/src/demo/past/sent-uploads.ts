import { parseSignal } from '#libs/contracts';
import {
  type AssetDescribed,
  readingAt,
  readSignal,
  readZipConfig,
  type Settings,
  type SignalReceived,
  type ZipConfig,
} from '#libs/domain';
import type { DemoSignal, Random } from '#libs/sample-data';
import type { UploadedSignal } from '#libs/uploads';
import type { PastLog } from './past-log.ts';
import { SCANNER } from './people.ts';

/** Entities of an upload: bounds the memory for any size of the organization. */
const CHUNK_ENTITIES = 500;
const CHUNK_MS = 60_000;

/** ZIPs that a tool sends one after the other from `at` (epoch ms) on. */
export interface SentUpload {
  config: Record<string, unknown> | null;
  /** Those of one entity after another. */
  signals: Iterable<DemoSignal[]>;
  at: number;
}

/** A row of `upload_receipts`. */
export interface Receipt {
  upload_id: string;
  kind: 'zip';
  by_user: string;
  received_at: Date;
  events: number;
  signals: number;
  rejected: number;
  warnings: string;
}

/** Uploads of `CHUNK_ENTITIES` entities each, a minute apart. */
export async function sendUpload(
  log: PastLog,
  { config, signals, at }: SentUpload,
  random: Random,
): Promise<Receipt[]> {
  const reading = readZipConfig(config ?? {});
  if (!reading.ok) throw new Error(`config.json of the demo: ${JSON.stringify(reading.problems)}`);
  const receipts: Receipt[] = [];
  for (const chunk of chunks(signals)) {
    receipts.push(
      await sendChunk(log, chunk, reading.config, at + receipts.length * CHUNK_MS, random.uuid()),
    );
  }
  return receipts;
}

function* chunks(signals: Iterable<DemoSignal[]>): Generator<DemoSignal[]> {
  let chunk: DemoSignal[] = [];
  let entities = 0;
  for (const group of signals) {
    chunk.push(...group);
    entities += 1;
    if (entities % CHUNK_ENTITIES !== 0) continue;
    if (chunk.length > 0) yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function sendChunk(
  log: PastLog,
  chunk: readonly DemoSignal[],
  config: ZipConfig,
  at: number,
  uploadId: string,
): Promise<Receipt> {
  const { fullAssessmentForTypes, assetMatchingCriteria } = config;
  const { settings } = log.organization;
  const { events, signals } = await log.appendUpload({
    uploadId,
    kind: 'zip',
    user: SCANNER,
    requestId: uploadId,
    at,
    signals: chunk.map((signal) => readDemoSignal(signal, config, settings, at)),
    fullAssessmentForTypes,
    assetMatchingCriteria,
  });
  return {
    upload_id: uploadId,
    kind: 'zip',
    by_user: SCANNER,
    received_at: new Date(at),
    events,
    signals,
    rejected: 0,
    warnings: '[]',
  };
}

/** As the gateway reads an entry of a ZIP. */
function readDemoSignal(
  { content, entryName }: DemoSignal,
  rules: ZipConfig,
  settings: Settings,
  at: number,
): UploadedSignal & { payload: SignalReceived | AssetDescribed } {
  const parsed = parseSignal(content);
  const { receivedAt } = readingAt(at);
  const read = parsed.ok ? readSignal(parsed.signal, { route: 'zip', receivedAt, rules, settings }) : parsed;
  if (!read.ok) throw new Error(`${entryName} of the demo: ${JSON.stringify(read.problems)}`);
  return { entityKey: read.entityKey, payload: read.payload, entry: entryName };
}
