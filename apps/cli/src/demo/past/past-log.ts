import { decodeIntake, partitionOf } from '#libs/contracts';
import {
  type Asset,
  type AssetDescribed,
  actEnvelope,
  dueAt,
  type Finding,
  type FindingSeen,
  type FindingType,
  type IntakePayload,
  initialOrganization,
  ORGANIZATION_KEY,
  type Organization,
  posture2,
  readingAt,
  type SignalReceived,
} from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { MemoryFold } from '#libs/fold';
import { recordOf } from '#libs/intake';
import { type UploadContext, UploadEvents, type UploadedSignal, UploadPlanner } from '#libs/uploads';
import type { PastSink } from './resumed-log.ts';
import { DAY_MS } from './times.ts';

/** Records of one append. */
const RECORDS_MAX = 1_000;

/** An act of a user. */
export interface PastAct {
  id: string;
  user: string;
  entityKey: string;
  /** Epoch ms. */
  at: number;
  payload: IntakePayload;
}

export interface PastFinding {
  entityKey: string;
  finding: Finding;
}

/** A live asset with its findings. */
interface PastAsset {
  entityKey: string;
  asset: Asset;
  findings: readonly { finding: Finding; seen: FindingSeen }[];
}

/** An upload of signals that the edge has read. */
export interface PastUpload
  extends Pick<UploadContext, 'uploadId' | 'kind' | 'syncId' | 'user' | 'requestId'> {
  /** Epoch ms. */
  at: number;
  signals: readonly (UploadedSignal & { payload: SignalReceived | AssetDescribed })[];
  fullAssessmentForTypes: FindingType[];
  assetMatchingCriteria: string[];
}

/** Appends events with given instants, as the service does with those of its clock, and folds them in memory. */
export class PastLog {
  /** Number of events so far. */
  events = 0;
  private readonly folds = new Map<number, MemoryFold>();
  /** Of findings whose risk can depend on earlier changes, by id. */
  private readonly followed = new Map<string, posture2.FollowedPast>();

  constructor(private readonly sink: PastSink) {}

  /** As folded so far. */
  get organization(): Organization {
    const fold = this.folds.get(partitionOf(ORGANIZATION_KEY, this.sink.partitions));
    return fold?.entities.get(ORGANIZATION_KEY)?.organization ?? initialOrganization();
  }

  /** Returns the header of the upload. */
  async appendUpload({ signals, at, ...upload }: PastUpload): Promise<{ events: number; signals: number }> {
    const { fullAssessmentForTypes, assetMatchingCriteria } = upload;
    const { partitions } = this.sink;
    const planner = new UploadPlanner({ partitions, fullAssessmentForTypes, assetMatchingCriteria });
    for (const signal of signals) planner.add(signal);
    const plan = planner.finish([]);
    const settingsVersion = this.organization.settings.version;
    const events = new UploadEvents({ ...upload, ...readingAt(at), settingsVersion, partitions }, plan);
    await this.append(signals.flatMap((signal) => events.of(signal)));
    return plan.header;
  }

  async appendActs(acts: readonly PastAct[]): Promise<void> {
    for (const { id, user, entityKey, at, payload } of acts) {
      const settingsVersion = this.organization.settings.version;
      const by = { user, requestId: id };
      const envelope = actEnvelope({ id, entityKey, ...readingAt(at), settingsVersion, by });
      await this.append([{ envelope, payload }]);
    }
  }

  /**
   * Sorted by id, as they are from now to the end of a day. Findings that expire until then, or whose acceptance ends,
   * are left out: the fold changes them with their next event.
   * @param day midnight UTC, epoch ms
   */
  findings(day: number): PastFinding[] {
    return this.assets()
      .flatMap(({ entityKey, findings }) =>
        findings
          .filter((tracked) => dueAt(tracked) >= day + DAY_MS)
          .map(({ finding }) => ({ entityKey, finding })),
      )
      .sort((a, b) => (a.finding.id < b.finding.id ? -1 : 1));
  }

  assets(): PastAsset[] {
    return [...this.folds.values()]
      .flatMap(({ entities }) => [...entities.values()])
      .flatMap(({ key, assets }) =>
        assets
          .filter(({ asset }) => asset.deletedAt === null)
          .map(({ asset, findings }) => ({ entityKey: key, asset, findings: [...findings.values()] })),
      );
  }

  /** The earlier changes of a finding, as far as a score depends on them. */
  pastOf(finding: Finding): posture2.FollowedPast {
    return this.followed.get(finding.id) ?? posture2.pastWith(null, finding, finding.updatedAt);
  }

  private async append(events: readonly Parameters<typeof recordOf>[0][]): Promise<void> {
    const records = events.map(recordOf);
    for (let from = 0; from < records.length; from += RECORDS_MAX) {
      await this.sink.append(records.slice(from, from + RECORDS_MAX));
    }
    this.events += records.length;
    for (const record of records) this.fold(record);
  }

  /** What the projector will read. */
  private fold({ key, value }: Pick<LogRecord, 'key' | 'value'>): void {
    const partition = partitionOf(key, this.sink.partitions);
    let fold = this.folds.get(partition);
    if (!fold) {
      fold = new MemoryFold(partition);
      this.folds.set(partition, fold);
    }
    const { changes, acts } = fold.fold(decodeIntake(value));
    const refused = acts.find((act) => act.refused !== null);
    if (refused) throw new Error(`${refused.action} of the demo is refused: ${refused.refused}`);
    for (const change of changes) {
      if (change.kind !== 'finding' || !posture2.canDependOnPast(change.finding)) continue;
      const before = this.followed.get(change.finding.id) ?? null;
      this.followed.set(change.finding.id, posture2.pastWith(before, change.finding, change.at));
    }
  }
}
