import type {
  AssetTyping,
  EntityType,
  FindingType,
  Level,
  ObservedInstance,
  Source,
  Tags,
  UploadHeader,
} from './events.ts';
import type { Organization } from './organization/organization.ts';

/** Order of uploads: receipt time, then upload id (rule 4). */
export interface Stamp {
  at: number;
  uploadId: string;
}

export type ActiveState = 'Failed' | 'Qualified' | 'NotAssessed' | 'AcceptedFailed';
export type FindingState = ActiveState | 'Retired';
export type RetiredReason = 'expired' | 'replaced' | 'retention' | 'revoked' | 'assetDeleted';

/** What a finding is; a change of any of it is a change of the finding, with a history item. */
export interface Finding {
  /** Counted per asset, from 1. */
  number: number;
  id: string;
  type: FindingType;
  subtype: string | null;
  name: string;
  description: string | null;
  technical: string | null;
  businessImpact: string | null;
  controlType: string | null;
  remediation: { description: string | null; reference: string | null; impact: string | null } | null;
  source: Source;
  confidence: number | null;
  state: FindingState;
  retiredReason: RetiredReason | null;
  /** Sorted by key. */
  instances: ObservedInstance[];
  accepted: { by: string; at: number; rationale: string; until: number | null } | null;
  heldFailed: { by: string; at: number } | null;
  extra: string | null;
  firstSeen: number;
  /** Counts the changes, from 1 (rule 6). */
  version: number;
  updatedAt: number;
}

/** What every signal of a finding moves, changed or not: kept apart, so that a resend rewrites no wide row. */
export interface FindingSeen {
  /** The partition's clock when a signal last moved any of this: what it says holds from there on (as-of). */
  seenAt: number;
  signalId: string;
  lastSeen: number;
  expiresAt: number;
  retainUntil: number;
  /** The greatest stamp that touched the finding. */
  stamp: Stamp;
  /** The greatest stamp of each instance that was set singly (mode `merge`); null where they share the finding's. */
  instanceStamps: Record<string, Stamp> | null;
}

export interface Asset {
  /** Unique in the installation: counted per partition and composed with its number. */
  number: number;
  id: string;
  entityType: EntityType;
  name: string;
  /** Every name that it was called, the present one too; sorted. */
  aliases: string[];
  hostname: string | null;
  fqdn: string | null;
  ipAddresses: string[];
  macAddresses: string[];
  os: string | null;
  criticality: Level | null;
  confidentialityRequirement: Level | null;
  integrityRequirement: Level | null;
  availabilityRequirement: Level | null;
  /** What a source has given; the defaults only fill what is null here (D5). */
  department: string | null;
  location: string | null;
  typing: AssetTyping | null;
  defaults: { department: string; location: string; typing: AssetTyping };
  /** Settings that typing and defaults were decided with: an older stamp replaces neither (rule 1). */
  settingsVersion: number;
  tags: Tags;
  customFields: Tags;
  sources: string[];
  firstSeen: number;
  deletedAt: number | null;
  version: number;
  updatedAt: number;
}

export interface TrackedFinding {
  readonly finding: Finding;
  readonly seen: FindingSeen;
}

/** An asset with its findings by id. The maps are owned by the fold; what they hold is never changed in place. */
export interface AssetState {
  asset: Asset;
  /** Edge time of the last signal or description. */
  lastSeen: number;
  findings: Map<string, TrackedFinding>;
  /** Greatest finding number, and a time before which nothing falls due: both derived, never stored. */
  findingCounter: number;
  nothingDueBefore: number;
}

/** All assets of one entity key, in the order they appeared; mostly one (D2). */
export interface EntityState {
  key: string;
  assets: AssetState[];
  /** Of the organization's own key; null for every other. */
  organization: Organization | null;
}

export interface UploadCounts {
  created: number;
  updated: number;
  unchanged: number;
  retired: number;
  assetsCreated: number;
  assetsUpdated: number;
  /** Reason → number; only reasons that occurred. */
  ignored: Record<string, number>;
}

/** How far an upload has come in one partition, and what became of it there. */
export interface UploadState {
  uploadId: string;
  kind: string;
  by: string | null;
  stamp: Stamp;
  /** Greatest ordinal folded (rule 5), and how many there will be. */
  seen: number;
  count: number;
  /** Signals among those folded. */
  signals: number;
  header: UploadHeader | null;
  counts: UploadCounts;
  /** Names that joined an asset of another FQDN (D2); the first 100. */
  merged: { name: string; assetId: string }[];
  /** The first 100. */
  unrecognisedTags: string[];
}

export interface PartitionState {
  partition: number;
  /** Running maximum of event times (rule 3), in epoch ms: see `clockAfter`. */
  clock: number;
  assetCounter: number;
  /** Those that the batch at hand needs; the store keeps them all. */
  uploads: Map<string, UploadState>;
}
