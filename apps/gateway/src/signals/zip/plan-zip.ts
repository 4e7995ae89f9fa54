import { EncodedPayload, parseJson } from '#libs/contracts';
import {
  type AssetDescribed,
  decidedAt,
  type FieldMessage,
  readZipConfig,
  type Settings,
  type SignalContext,
  type SignalReceived,
  type ZipConfig,
} from '#libs/domain';
import { personName, Seals, type SubjectKey } from '#libs/sealing';
import { type ExcludedEntities, type UploadContext, type UploadPlan, UploadPlanner } from '#libs/uploads';
import { problemsOfSize } from '../event-size.ts';
import { LISTED_MAX } from '../listed-max.ts';
import { entityKeyOfMalformed, readUploadedSignal } from '../read-upload-signal.ts';
import { configEntryOf, entryKind, isConfigName } from './entry-kind.ts';
import type { KeysOf } from './key-port.ts';
import { unpackEntry } from './unpack-entry.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';
import { entryRefused, ZipRefused } from './zip-refused.ts';

/** A ZIP's upload as it is sent to the worker. */
export interface ZipUpload {
  context: UploadContext;
  settings: Settings;
  /** `?invalid=skip` (R-ZIP-6). */
  skipsInvalid: boolean;
}

export interface EntryMessage extends FieldMessage {
  entry: string;
}

/** The response to a ZIP. */
export interface ZipOutcome {
  accepted: number;
  ignored: number;
  rejected: number;
  /** The first 100 each. */
  errors: EntryMessage[];
  warnings: EntryMessage[];
}

/** A valid signal. */
interface PlannedEntry {
  entry: ZipEntry;
  /** The key in the log. */
  entityKey: string;
  /** Null if the first pass had no room for it: it must be read again. */
  payload: EncodedPayload | null;
}

export interface ZipPlan {
  plan: UploadPlan;
  outcome: ZipOutcome;
  /** The valid signals, in central-directory order. */
  signals: PlannedEntry[];
  reading: SignalContext;
  /** Seals the events. */
  seals: Seals;
}

type SignalPayload = SignalReceived | AssetDescribed;

/** A signal as read whose texts are not sealed yet. */
interface WaitingSignal {
  entry: ZipEntry;
  /** As received. */
  entityKey: string;
  payload: SignalPayload;
  warnings: FieldMessage[];
}

/** Signals in Avro are half as large as in JSON; those of most ZIPs fit, and are read once. */
const KEPT_BYTES_MAX = 16 * 1_048_576;

/**
 * Size of an entry times its instances. An event has less than 40 times as many bytes, so signals below it are not too
 * large, and are not measured unless they are kept.
 */
const MEASURED_BYTES_MIN = 64 * 1024;

/**
 * The first pass over a ZIP: every entry is unpacked, checked and read before anything is appended (R-ZIP-5).
 * @param keptBytesMax of signals that are kept for the second pass
 * @param keysOf keys of the subjects of the upload; omitted: its texts are not sealed
 * @throws ZipRefused
 */
export async function planZip(
  zip: Buffer,
  upload: ZipUpload,
  keptBytesMax = KEPT_BYTES_MAX,
  keysOf?: KeysOf,
): Promise<ZipPlan> {
  const entries = (await readZipDirectory(zip)).filter(({ name }) => entryKind(name) !== 'skipped');
  const nested = entries.find(({ name }) => entryKind(name) === 'nested');
  if (nested) throw entryRefused(nested.name, 'archives inside the ZIP are not allowed');
  const configName = configEntryOf(entries.map(({ name }) => name));
  const configEntry = entries.find(({ name }) => name === configName);
  const misplaced = entries.find((entry) => isConfigName(entry.name) && entry !== configEntry);
  if (misplaced) throw entryRefused(misplaced.name, MISPLACED_CONFIG);
  const pass = new ValidationPass(zip, upload, readConfig(zip, configEntry), keptBytesMax, keysOf);
  for (const entry of entries) {
    if (entry === configEntry) continue;
    pass.take(entry);
    if (pass.isWaitingFull) await pass.keepWaiting();
  }
  return pass.finish();
}

/** Signals that wait for the keys of their subjects before they are encoded. */
const SEALED_AT_ONCE = 500;
/** Of their entries, unpacked: a signal with many instances takes fifteen times its JSON. */
const WAITING_BYTES_MAX = 2 * 1_048_576;

/** Read as a signal, it could be skipped as malformed: then the defaults would apply, with what it prohibits. */
const MISPLACED_CONFIG =
  'a ZIP has one config.json, at the root or in the folder that contains all other entries, named in lower case';

/** Without a config.json every field has its default (R-ZIP-3). */
function readConfig(
  zip: Buffer,
  entry: ZipEntry | undefined,
): { config: ZipConfig; warnings: FieldMessage[] } {
  const json = entry ? parseJson(unpackEntry(zip, entry)) : { ok: true as const, value: {} };
  if (!json.ok) throw entryRefused(entry!.name, json.message);
  const read = readZipConfig(json.value);
  if (read.ok) return read;
  throw new ZipRefused(
    `entry ${JSON.stringify(entry!.name)}: ${read.problems.map(inWords).join('; ')}`,
    read.problems.slice(0, LISTED_MAX).map((problem) => ({ entry: entry!.name, ...problem })),
  );
}

const inWords = ({ field, message }: FieldMessage): string =>
  field === '' ? message : `${field} ${message}`;

class ValidationPass {
  private readonly planner: UploadPlanner;
  private readonly reading: SignalContext;
  private readonly signals: PlannedEntry[] = [];
  private waiting: WaitingSignal[] = [];
  private waitingBytes = 0;
  private readonly keys = new Map<string, SubjectKey | null>();
  /** Names whose keys were requested; most machines have none. */
  private readonly asked = new Set<string>();
  private readonly errors: EntryMessage[] = [];
  private readonly warnings: EntryMessage[] = [];
  /** Which entity a warning is about. */
  private readonly about = new Map<EntryMessage, string>();
  private excluded: Set<string> | 'all' = new Set();
  private accepted = 0;
  private rejected = 0;
  private ignored = 0;

  constructor(
    private readonly zip: Buffer,
    private readonly upload: ZipUpload,
    { config, warnings }: { config: ZipConfig; warnings: FieldMessage[] },
    private room: number,
    private readonly keysOf: KeysOf | undefined,
  ) {
    const { partitions } = upload.context;
    const receivedAt = decidedAt(upload.context);
    this.planner = new UploadPlanner({ ...config, partitions });
    this.reading = { route: 'zip', receivedAt, rules: config, settings: upload.settings };
    list(this.warnings, 'config.json', warnings);
  }

  take(entry: ZipEntry): void {
    if (entryKind(entry.name) !== 'signal') {
      this.reject(entry.name, [{ field: '', message: 'only *.json entries are allowed' }], null);
      return;
    }
    const bytes = unpackEntry(this.zip, entry);
    const read = readUploadedSignal(bytes, this.reading);
    if (!read.ok) {
      this.reject(entry.name, read.problems, entityKeyOfMalformed(bytes));
      return;
    }
    if (this.isRefused) {
      this.accepted++;
      return;
    }
    this.waiting.push({ entry, ...read });
    this.waitingBytes += bytes.length;
  }

  get isWaitingFull(): boolean {
    return this.waiting.length === SEALED_AT_ONCE || this.waitingBytes >= WAITING_BYTES_MAX;
  }

  /**
   * Encodes the signals that wait, sealed: to seal them after they were encoded would cost to decode and encode them
   * again.
   */
  async keepWaiting(): Promise<void> {
    const group = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    if (this.isRefused) {
      this.accepted += group.length;
      return;
    }
    const seals = await this.sealsOf(group.map(({ entityKey }) => entityKey));
    for (const signal of group) this.keep(signal, seals);
  }

  private keep(signal: WaitingSignal, seals: Seals): void {
    const { entry, entityKey, payload, warnings } = signal;
    const key = seals.entityKeyOf(entityKey);
    const hasRoom = this.room > 0;
    const encoded = hasRoom || mayBeTooLarge(signal) ? this.encoded(key, payload, seals) : null;
    const problems = encoded ? problemsOfSize(encoded) : [];
    if (problems.length > 0) {
      this.reject(entry.name, problems, entityKey);
      return;
    }
    if (encoded) this.room -= encoded.bytes.length;
    this.signals.push({ entry, entityKey: key, payload: hasRoom ? encoded : null });
    this.accepted++;
    this.planner.add({ entityKey, payload });
    if (payload.type === 'SignalReceived' && payload.ignored) this.ignored++;
    for (const warning of list(this.warnings, entry.name, warnings)) this.about.set(warning, entityKey);
  }

  private encoded(entityKey: string, payload: SignalPayload, seals: Seals): EncodedPayload {
    const { user } = this.upload.context;
    return EncodedPayload.of(seals.sealPayload({ entityKey, cause: { user } }, payload));
  }

  /** Whether a malformed entry rejects the whole ZIP. */
  private get isRefused(): boolean {
    return this.rejected > 0 && !this.upload.skipsInvalid;
  }

  async finish(): Promise<ZipPlan> {
    await this.keepWaiting();
    if (this.isRefused) throw this.refusal();
    if (this.accepted === 0) {
      throw this.rejected > 0
        ? this.refusal()
        : new ZipRefused('the ZIP contains no signals: add at least one *.json entry');
    }
    const excluded: ExcludedEntities = { rejected: this.rejected, entities: this.excluded };
    const seals = new Seals(this.keys);
    const warnings = this.warnings.map((warning) => ({ ...warning, about: this.about.get(warning) }));
    return {
      plan: this.planner.finish(warnings, excluded, seals.entityKeyOf),
      outcome: {
        accepted: this.accepted,
        ignored: this.ignored,
        rejected: this.rejected,
        errors: this.errors,
        warnings: this.warnings,
      },
      signals: this.signals,
      reading: this.reading,
      seals,
    };
  }

  /** With the keys of entities, of the user who uploads, and of all entities before. */
  private async sealsOf(entityKeys: string[]): Promise<Seals> {
    if (this.keysOf) {
      const { user } = this.upload.context;
      const names = new Set([...entityKeys, ...(user === null ? [] : [personName(user)])]);
      const unread = [...names].filter((name) => !this.asked.has(name));
      for (const [name, key] of unread.length > 0 ? await this.keysOf(unread) : []) this.keys.set(name, key);
      for (const name of unread) this.asked.add(name);
    }
    return new Seals(this.keys);
  }

  private reject(name: string, problems: FieldMessage[], entityKey: string | null): void {
    this.rejected++;
    list(this.errors, name, problems);
    if (entityKey === null) this.excluded = 'all';
    else if (this.excluded !== 'all') this.excluded.add(entityKey);
  }

  private refusal(): ZipRefused {
    const first = this.errors[0]!;
    const entries = this.rejected + this.accepted;
    return new ZipRefused(
      `${this.rejected} of ${entries} entries malformed, no signals were stored; the first: ` +
        `${JSON.stringify(first.entry)}: ${inWords(first)}`,
      this.errors,
    );
  }
}

function mayBeTooLarge({ entry, payload }: WaitingSignal): boolean {
  const observations = payload.type === 'SignalReceived' ? payload.observations : [];
  const instances = observations.reduce((sum, { instances }) => sum + instances.length, 1);
  return entry.uncompressedSize * instances > MEASURED_BYTES_MIN;
}

/** Returns the messages that had room. */
function list(into: EntryMessage[], entry: string, messages: FieldMessage[]): EntryMessage[] {
  const listed = messages
    .slice(0, LISTED_MAX - into.length)
    .map(({ field, message }) => ({ entry, field, message }));
  into.push(...listed);
  return listed;
}
