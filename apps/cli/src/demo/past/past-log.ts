import { decodeIntake, parseSignal, partitionOf } from '#libs/contracts';
import {
  type AssetDescribed,
  actEnvelope,
  DEFAULT_SETTINGS,
  type Finding,
  type IntakePayload,
  readingAt,
  readSignal,
  readZipConfig,
  type SignalReceived,
  type ZipConfig,
} from '#libs/domain';
import type { EventLog, LogRecord } from '#libs/event-log';
import { MemoryFold } from '#libs/fold';
import { INTAKE_TOPIC, recordOf } from '#libs/intake';
import type { DemoSignal, Random } from '#libs/sample-data';
import { type UploadContext, UploadEvents, type UploadedSignal, UploadPlanner } from '#libs/uploads';

/** The user of all uploads and acts of the past. */
const USER = 'demo';
/** Entities of an upload: bounds the memory for any size of the organization. */
const CHUNK_ENTITIES = 500;
const CHUNK_MS = 60_000;
const RECORDS_MAX = 1_000;

/** An upload of the past, received at `at` (epoch ms). */
export interface PastUpload {
  title: string;
  config: Record<string, unknown> | null;
  signals: () => Generator<DemoSignal[]>;
  at: number;
  /** Whether users work on its findings on the day after. */
  isScan: boolean;
}

/** An act of a user on a finding. */
export interface PastAct {
  id: string;
  entityKey: string;
  at: number;
  payload: IntakePayload;
}

export interface PastFinding {
  entityKey: string;
  finding: Finding;
}

/** A row of `upload_receipts`. */
interface Receipt {
  upload_id: string;
  kind: string;
  by_user: string;
  received_at: Date;
  events: number;
  signals: number;
  rejected: number;
  warnings: string;
}

/** Appends events with given instants, as the gateway does with those of its clock, and folds them in memory. */
export class PastLog {
  private readonly folds = new Map<number, MemoryFold>();

  constructor(private readonly log: EventLog) {}

  /** Uploads of `CHUNK_ENTITIES` entities each, a minute apart. */
  async appendUpload(
    { config, signals, at }: PastUpload,
    random: Random,
  ): Promise<{ events: number; receipts: Receipt[] }> {
    const reading = readZipConfig(config ?? {});
    if (!reading.ok) throw new Error(`config.json of the demo: ${JSON.stringify(reading.problems)}`);
    const receipts: Receipt[] = [];
    let chunk: DemoSignal[] = [];
    let entities = 0;
    const flush = async () => {
      if (chunk.length === 0) return;
      const context = this.contextOf(random.uuid(), at + receipts.length * CHUNK_MS);
      receipts.push(await this.appendChunk(chunk, reading.config, context));
      chunk = [];
    };
    for (const group of signals()) {
      chunk.push(...group);
      entities += 1;
      if (entities % CHUNK_ENTITIES === 0) await flush();
    }
    await flush();
    return { events: receipts.reduce((sum, receipt) => sum + receipt.events, 0), receipts };
  }

  async appendActs(acts: readonly PastAct[]): Promise<void> {
    await this.append(
      acts.map(({ id, entityKey, at, payload }) => ({
        envelope: actEnvelope({
          id,
          entityKey,
          ...readingAt(at),
          settingsVersion: DEFAULT_SETTINGS.version,
          by: { user: USER, requestId: id },
        }),
        payload,
      })),
    );
  }

  /** All findings, sorted by id. */
  findings(): PastFinding[] {
    return [...this.folds.values()]
      .flatMap(({ entities }) => [...entities.values()])
      .flatMap(({ key, assets }) =>
        assets.flatMap(({ findings }) =>
          [...findings.values()].map(({ finding }) => ({ entityKey: key, finding })),
        ),
      )
      .sort((a, b) => (a.finding.id < b.finding.id ? -1 : 1));
  }

  private contextOf(uploadId: string, at: number): UploadContext {
    return {
      uploadId,
      kind: 'zip',
      ...readingAt(at),
      user: USER,
      requestId: uploadId,
      settingsVersion: DEFAULT_SETTINGS.version,
      partitions: this.log.partitions,
    };
  }

  private async appendChunk(
    signals: readonly DemoSignal[],
    config: ZipConfig,
    context: UploadContext,
  ): Promise<Receipt> {
    const { fullAssessmentForTypes, assetMatchingCriteria } = config;
    const planner = new UploadPlanner({
      partitions: context.partitions,
      fullAssessmentForTypes,
      assetMatchingCriteria,
    });
    const read = signals.map((signal) => readDemoSignal(signal, config, context));
    for (const signal of read) planner.add(signal);
    const plan = planner.finish([]);
    const events = new UploadEvents(context, plan);
    await this.append(read.flatMap((signal) => events.of(signal)));
    return {
      upload_id: context.uploadId,
      kind: context.kind,
      by_user: USER,
      received_at: new Date(context.receivedAt),
      events: plan.header.events,
      signals: plan.header.signals,
      rejected: 0,
      warnings: '[]',
    };
  }

  private async append(events: readonly Parameters<typeof recordOf>[0][]): Promise<void> {
    const records = events.map(recordOf);
    for (let from = 0; from < records.length; from += RECORDS_MAX) {
      await this.log.append(INTAKE_TOPIC, records.slice(from, from + RECORDS_MAX));
    }
    for (const record of records) this.fold(record);
  }

  /** What the projector will read. */
  private fold({ key, value }: Pick<LogRecord, 'key' | 'value'>): void {
    const partition = partitionOf(key, this.log.partitions);
    let fold = this.folds.get(partition);
    if (!fold) {
      fold = new MemoryFold(partition);
      this.folds.set(partition, fold);
    }
    fold.fold(decodeIntake(value));
  }
}

/** As the gateway reads an entry of a ZIP. */
function readDemoSignal(
  { content, entryName }: DemoSignal,
  rules: ZipConfig,
  { receivedAt }: UploadContext,
): UploadedSignal & { payload: SignalReceived | AssetDescribed } {
  const parsed = parseSignal(content);
  const read = parsed.ok
    ? readSignal(parsed.signal, { route: 'zip', receivedAt, rules, settings: DEFAULT_SETTINGS })
    : parsed;
  if (!read.ok) throw new Error(`${entryName} of the demo: ${JSON.stringify(read.problems)}`);
  return { entityKey: read.entityKey, payload: read.payload, entry: entryName };
}
