import avro from 'avsc';
import type { CauseKind, EntityType, FindingState, FindingType, Level, Tags } from '#libs/domain';
import { readSchemaFile, schemaIds } from './schema-files.ts';
import { WireFormat } from './wire-format.ts';

/**
 * What subscribers get of every change: the whole finding or asset after it, and what brought it about (api.md:
 * findings, assets). Times are epoch milliseconds. The schemas in `schemas/changes` say what each field means.
 */

/** Every change of a finding; key: finding id (design "Topics"). */
export const FINDINGS_TOPIC = 'posture.findings';
/** Every change of an asset; key: asset id. */
export const ASSETS_TOPIC = 'posture.assets';

export type ChangeTopic = typeof FINDINGS_TOPIC | typeof ASSETS_TOPIC;

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
  /** The partition's clock (rule 3). */
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
    type: string | null;
  };
  cves: string[];
  techniques: string[];
  counted: boolean;
  notCountedBecause: string | null;
  instances: { key: string; status: string; counted: boolean; evidence: string | null; tags: Tags }[];
  instanceCount: number;
  /** Too large to be published whole: see `instances` in the schema. */
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
  firstSeen: number;
  lastSeen: number;
  deletedAt: number | null;
  version: number;
  updatedAt: number;
  change: ChangeFacts & { name: string };
}

export type ChangeEvent =
  | { kind: 'finding'; changed: FindingChanged }
  | { kind: 'asset'; changed: AssetChanged };

const schemaOf = (file: string) => readSchemaFile(`changes/${file}.avsc`);

const wireFormat = new WireFormat<ChangeEvent['kind']>(
  schemaIds.changes.map(({ id, kind, file }) => ({
    id,
    name: kind,
    // Times stay numbers.
    type: avro.Type.forSchema(schemaOf(file), { logicalTypes: {} }),
  })),
);

/** Every released version of the change schemas, complete, as a registry serves them. */
export const changeSchemas = (): { id: number; subject: string; version: number; schema: object }[] =>
  schemaIds.changes.map(({ id, subject, version, file }) => ({
    id,
    subject,
    version,
    schema: schemaOf(file),
  }));

/** In Confluent wire format, under the latest version of its schema. */
export const encodeChange = ({ kind, changed }: ChangeEvent): Buffer => wireFormat.encode(kind, changed);

/**
 * @throws UnknownSchemaError where the schema id is not in ids.json
 * @throws CorruptRecordError where the bytes are not in wire format or do not decode; a tombstone has none
 */
export function decodeChange(value: Buffer): ChangeEvent {
  const { name, record } = wireFormat.decode(value);
  return { kind: name, changed: record } as ChangeEvent;
}
