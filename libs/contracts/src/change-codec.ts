import type { CauseKind, EntityType, FindingState, FindingType, Level, Tags } from '#libs/domain';
import { onFirstUse } from './on-first-use.ts';
import { readSchemaFile, schemaIds } from './schema-files.ts';
import { schemaType } from './schema-type.ts';
import { WireFormat, type WireSchema } from './wire-format.ts';

/**
 * The records that subscribers receive for every change: the whole finding or asset after it, and its cause, or an
 * asset's score after it. Times are epoch milliseconds. The schemas in `schemas/changes` document each field.
 */

/** Every change of a finding; key: finding id. */
export const FINDINGS_TOPIC = 'posture.findings';
/** Every change of an asset; key: asset id. */
export const ASSETS_TOPIC = 'posture.assets';
/** Every change of an asset's score; key: asset id. */
export const SCORES_TOPIC = 'posture.scores';

export type ChangeTopic = typeof FINDINGS_TOPIC | typeof ASSETS_TOPIC | typeof SCORES_TOPIC;

export interface ChangeCause {
  kind: CauseKind;
  /** Id of the intake event. */
  eventId: string;
  uploadId: string | null;
  /** ZIP entry name. */
  entry: string | null;
  syncId: string | null;
  user: string | null;
  requestId: string | null;
}

interface ChangeFacts {
  /** The partition's clock (R-FOLD-3). */
  at: number;
  cause: ChangeCause;
  /** 1-based and gap-free among the changes of its topic in the partition. */
  sequence: number;
  /** Of the intake event. */
  position: { topic: string; partition: number; offset: number };
}

export interface FindingChanged {
  id: string;
  assetId: string;
  assetName: string;
  type: FindingType;
  subtype: string | null;
  name: string;
  description: string | null;
  state: FindingState;
  retiredReason: string | null;
  severity: {
    /** 0 to 10. */
    value: number;
    level: string | null;
    vector: string | null;
    baseScore: number | null;
    temporalScore: number | null;
    type: string | null;
  };
  cves: string[];
  techniques: string[];
  counted: boolean;
  notCountedBecause: string | null;
  instances: { key: string; status: string; counted: boolean; evidence: string | null; tags: Tags }[];
  instanceCount: number;
  /** Too large to be published whole: see the schema. */
  abridged: boolean;
  remediation: { description: string | null; reference: string | null; impact: string | null } | null;
  source: string | null;
  nextSubmissionIntervalInMins: number | null;
  controlType: string | null;
  firstSeen: number;
  lastSeen: number;
  expiresAt: number;
  accepted: { by: string; at: number; rationale: string; until: number | null } | null;
  heldFailed: { by: string; at: number } | null;
  assignee: { type: string; name: string } | null;
  tags: string[];
  due: number | null;
  dueReason: string | null;
  failedSince: number | null;
  settledAt: number | null;
  tickets: { url: string; label: string }[];
  comments: number;
  version: number;
  updatedAt: number;
  change: ChangeFacts & { name: string; from: string | null; to: string; reason: string | null };
}

export interface AssetChanged {
  id: string;
  entityType: EntityType;
  name: string;
  aliases: string[];
  hostname: string | null;
  fqdn: string | null;
  ipAddresses: string[];
  macAddresses: string[];
  os: string | null;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
  criticality: Level | null;
  confidentialityRequirement: Level | null;
  integrityRequirement: Level | null;
  availabilityRequirement: Level | null;
  tags: Tags;
  customFields: Tags;
  sources: string[];
  isEdrManaged: boolean;
  firstSeen: number;
  lastSeen: number;
  deletedAt: number | null;
  erasedAt: number | null;
  /** Too large to be published whole: see the schema. */
  abridged: boolean;
  version: number;
  updatedAt: number;
  change: ChangeFacts & { name: string };
}

export interface ScoreChanged {
  assetId: string;
  assetName: string;
  /** 0 to 100 with two decimals; null if there is no score (R-SCORE-2). */
  score: number | null;
  /** 0 to 1 with six decimals; null if the score is. */
  breachLikelihood: number | null;
  /** Their previous value; null also if there was none yet. */
  previousScore: number | null;
  previousBreachLikelihood: number | null;
  /** Since when it is so. */
  at: number;
  model: string;
  catalogue: string;
  change: {
    /** `deleted`: the asset was, and has no score any more. On the topic that is a tombstone and never a value. */
    name: 'changed' | 'deleted';
    at: number;
    /** 1-based and gap-free among the changes of scores in the partition. */
    sequence: number;
    partition: number;
  };
}

export type ChangeEvent =
  | { kind: 'finding'; changed: FindingChanged }
  | { kind: 'asset'; changed: AssetChanged }
  | { kind: 'score'; changed: ScoreChanged };

const schemaOf = (file: string) => withoutPersonal(readSchemaFile(`changes/${file}.avsc`));

/** `personal` is for this project alone (ADR-0078): registries would give the schema another id. */
function withoutPersonal<S>(schema: S): S;
function withoutPersonal(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPersonal(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([key]) => key !== 'personal');
  return Object.fromEntries(members.map(([key, member]) => [key, withoutPersonal(member)]));
}

interface ReleasedChange extends WireSchema<ChangeEvent['kind']> {
  subject: string;
}

const released: ReleasedChange[] = schemaIds.changes.map(({ id, subject, kind, file }) => ({
  id,
  subject,
  name: kind,
  // Times stay numbers.
  type: onFirstUse(() => schemaType(schemaOf(file), { logicalTypes: {} })),
}));

const underFixedIds = new WireFormat(released);

/** Where a registry keeps the schemas of a topic's values. */
export const subjectOf = (topic: ChangeTopic): string => `${topic}-value`;

/** A released version of a change schema, complete, as a registry serves it. */
export interface ChangeSchema {
  id: number;
  subject: string;
  version: number;
  schema: object;
}

/** All released versions, those of a subject in the order of their release. */
export const changeSchemas = (): ChangeSchema[] =>
  schemaIds.changes.map(({ id, subject, version, file }) => ({
    id,
    subject,
    version,
    schema: schemaOf(file),
  }));

/** Under which id a registry knows a schema. */
export interface RegisteredId {
  /** Of `schemas/ids.json`. */
  schemaId: number;
  /** The registry's own, in bytes 1 to 4 of the records that are written under it. */
  registryId: number;
}

/** Writes the records of one topic, under the ids of a registry or those of `schemas/ids.json`. */
export class ChangeCodec {
  private readonly wireFormat: WireFormat<ChangeEvent['kind']>;

  /** @param registered in the order of registration; those of other topics do not matter. None: the fixed ids */
  constructor(topic: ChangeTopic, registered: readonly RegisteredId[] = []) {
    const versions = released.filter(({ subject }) => subject === subjectOf(topic));
    const registryIds = new Map(registered.map(({ schemaId, registryId }) => [schemaId, registryId]));
    this.wireFormat = new WireFormat(
      versions.map((version) => ({ ...version, id: registryIds.get(version.id) ?? version.id })),
    );
  }

  /** In Confluent wire format, under the latest version of its schema; the event must be of the topic. */
  encode({ kind, changed }: ChangeEvent): Buffer {
    return this.wireFormat.encode(kind, changed);
  }
}

/**
 * A record that is written under the fixed ids.
 * @throws UnknownSchemaError if the schema id is not in ids.json
 * @throws CorruptRecordError if the bytes are not in wire format or do not decode; a tombstone has none
 */
export function decodeChange(value: Buffer): ChangeEvent {
  const { name, record } = underFixedIds.decode(value);
  return { kind: name, changed: record } as ChangeEvent;
}
