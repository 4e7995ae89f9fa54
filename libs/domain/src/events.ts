/**
 * The events of the intake log: what was decided at the edge, for the fold to apply (design "Events and the fold").
 * Times are epoch milliseconds. `null` means "not given". Every type here has an Avro schema in `schemas/intake`,
 * frozen by golden logs: a new meaning is a new optional field or a new event type.
 */

/** Who or what brought an event about. `sync` is an integration's pull, `system` a tick of the service's own. */
export type CauseKind = 'json' | 'zip' | 'sync' | 'user' | 'system';

export interface Cause {
  kind: CauseKind;
  /** The upload (or pull) that the event belongs to; null for user acts and ticks. */
  uploadId: string | null;
  /**
   * Receipt time of the upload: with `uploadId` it is the upload's stamp (rule 4). From rules 3 on a reading of the
   * reference clock, which is the database's, at the moment of `at`.
   */
  receivedAt: number;
  /** ZIP entry name. */
  entry: string | null;
  /** Place of the entry among the upload's signals, from 0. */
  entryIndex: number | null;
  /** 1-based place among the upload's events in this partition (rule 5). */
  ordinal: number;
  /** How many events the upload has in this partition. */
  count: number;
  syncId: string | null;
  /** User name of the credential that acted. */
  user: string | null;
  requestId: string | null;
}

/** A remark on an upload that did not stop it (api.md: `warnings`). */
export interface Warning {
  entry: string | null;
  field: string;
  message: string;
}

/** What is true of an upload as a whole; rides on its first event in every partition, so that outcomes replay. */
export interface UploadHeader {
  /** Events of the upload over all partitions. */
  events: number;
  /** Signals in it: everything but the closing events. */
  signals: number;
  /** Entries left out by `?invalid=skip` (D16). */
  rejected: number;
  /** As given in config.json: recorded, without effect on matching (D2). */
  assetMatchingCriteria: string[];
  fullAssessmentForTypes: FindingType[];
  /** The first 100. */
  warnings: Warning[];
}

export interface Envelope {
  /** UUIDv5 of upload and entry, or of the act. */
  id: string;
  /** Partition key of the log (D1). */
  entityKey: string;
  /** Time of the decision, by the clock of the program that made it. */
  at: number;
  /** Number of the fold rules that the event is to be read with. */
  rules: number;
  /** Version of the settings that the edge decided with. */
  settingsVersion: number;
  cause: Cause;
  upload: UploadHeader | null;
  /** Room for per-entity encryption of payloads (D33); null: the payload is in the clear. */
  encryptionKeyId: string | null;
}

/** The finding types of spec §What the service does, point 3. */
export const FINDING_TYPES = ['finding', 'ca', 'va', 'edr', 'uba', 'waf', 'others'] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

export type EntityType = 'machine' | 'user';
export type InstanceStatus = 'pass' | 'fail' | 'unknown';
export type Tags = Record<string, string[]>;

/** An asset type says where it can be attacked and which assessments it supports (D5). */
export interface AssetTyping {
  type: string;
  attackSurface: string;
  supports: FindingType[];
}

/** What a signal says about its entity, with what the edge made of it. */
export interface EntityDescription {
  type: EntityType;
  /** As called by the sender, trimmed, without a trailing dot. */
  name: string;
  hostname: string | null;
  fqdn: string | null;
  ipAddresses: string[];
  macAddresses: string[];
  /** Operating system as the sender names it. */
  os: string | null;
  criticality: Level | null;
  confidentialityRequirement: Level | null;
  integrityRequirement: Level | null;
  availabilityRequirement: Level | null;
  department: string | null;
  location: string | null;
  /** From the OS through the mapping; null where the sender named none. */
  typing: AssetTyping | null;
  /** Configured values that fill what no source has given (D5). */
  defaults: { department: string; location: string; typing: AssetTyping };
  /** Plain tags, the unrecognised ones too (D7). */
  tags: Tags;
  customFields: Tags;
  unrecognisedTags: string[];
}

/** CIA requirements and criticality (D21: `critical` and `info` are read as high and low for CIA). */
export type Level = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** How the entity and its metadata are to be treated; decided by route, config.json and settings. */
export interface AssetRules {
  /** `fqdn` keeps two FQDNs with one first label apart (D2). */
  matching: 'name' | 'fqdn';
  /** false: signals of unknown entities are ignored. */
  importAssets: boolean;
  /** false: metadata of an existing asset stays (D6). */
  updateMetadata: boolean;
}

export interface Severity {
  /** 0 to 10. */
  value: number;
  level: Level | null;
  /** The scale's name, such as `cvss`. */
  type: string | null;
  version: string | null;
  vector: string | null;
  baseScore: number | null;
  temporalScore: number | null;
  environmentalScore: number | null;
}

export interface ObservedInstance {
  /** Empty for the unnamed instance of a singular signal (D9). */
  key: string;
  status: InstanceStatus;
  /** false: neither counts nor counts as a pass (D30). */
  counted: boolean;
  workflowStatus: string | null;
  severity: Severity;
  /** Canonical: `CVE-2024-3094`. */
  cves: string[];
  /** ATT&CK technique ids as `T1059.001`, and vendors' own ids. */
  techniques: string[];
  /** Mappings to other standards. */
  standards: { name: string; value: string }[];
  evidence: string | null;
  tags: Tags;
}

/** What a signal says about one finding (D8: contexts of different type are different findings). */
export interface Observation {
  type: FindingType;
  /** D21: a sender's own type name where `type` became `others`, or `securityContext.subType`. */
  subtype: string | null;
  /** `whole`: these are all instances; `merge`: they are set, an unnamed one is dropped, others stay (D9). */
  mode: 'whole' | 'merge';
  instances: ObservedInstance[];
  technical: string | null;
  businessImpact: string | null;
  controlType: string | null;
  remediation: { description: string | null; reference: string | null; impact: string | null } | null;
}

export interface Source {
  name: string | null;
  nextSubmissionIntervalInMins: number | null;
}

export interface SignalReceived {
  type: 'SignalReceived';
  signalId: string;
  entity: EntityDescription;
  assetRules: AssetRules;
  /** true: a failing signal ends an acceptance (spec §ZipConfig). */
  overrideAccepted: boolean;
  source: Source;
  /** Finding name, white space collapsed. */
  name: string;
  description: string | null;
  confidence: number | null;
  firstSeen: number | null;
  lastSeen: number | null;
  /** Effective expiry (D14). */
  expiresAt: number;
  /** End of the retention counted from this signal (D15). */
  retainUntil: number;
  /** `expired`: logged, not turned into a finding (D14). */
  ignored: 'expired' | null;
  /** true: the finding is retired (D21). */
  revoked: boolean;
  observations: Observation[];
  /** JSON of the properties that the reading knows no place for; kept (D18). */
  extra: string | null;
}

/** Metadata only, from an `entityOnly` signal or an inventory (D6). */
export interface AssetDescribed {
  type: 'AssetDescribed';
  signalId: string;
  entity: EntityDescription;
  assetRules: AssetRules;
  source: Source;
  extra: string | null;
}

/** The upload has said all it says of this entity: its types are replaced by stamp (D13, rule 4). */
export interface AssessmentClosed {
  type: 'AssessmentClosed';
  types: FindingType[];
  /** Names that the upload calls the entity by: where `matching` keeps FQDNs apart, only those assets are meant. */
  names: string[];
  matching: AssetRules['matching'];
}

export interface FindingAccepted {
  type: 'FindingAccepted';
  findingId: string;
  /** Version the user saw; null accepts any (rule 6). */
  seenVersion: number | null;
  rationale: string;
  until: number | null;
}

export interface FindingReverted {
  type: 'FindingReverted';
  findingId: string;
  seenVersion: number | null;
  to: 'NotAssessed' | 'Failed';
  rationale: string | null;
}

/** A tick: apply what fell due (rule 3), then delete assets without data where the setting allows (D15). */
export interface EntitySwept {
  type: 'EntitySwept';
  /** Assets without active findings and without a signal since then are deleted; null: deletion is off. */
  deleteIdleSince: number | null;
}

/** The OS-to-asset-type mapping changed. */
export interface AssetRetyped {
  type: 'AssetRetyped';
  assetId: string;
  typing: AssetTyping;
}

export interface AssetDeleted {
  type: 'AssetDeleted';
  assetId: string;
  seenVersion: number | null;
}

/**
 * An operator sets the clock of a partition, which a wrong clock had put ahead, back to the event's own time. What the
 * wrong clock did to entities is mended by `EntityMended`.
 */
export interface ClockCorrected {
  type: 'ClockCorrected';
  /** In the operator's words. */
  reason: string;
}

/** What an asset is without the wrong clock: it is left alone where it has changed since it was looked at (rule 6). */
export interface MendedAsset {
  assetId: string;
  /** Version and `lastSeen` (epoch ms) of the asset that was looked at. */
  seenVersion: number;
  seenAt: number;
  /** Fields of `Asset` that differ, each with its value as JSON. */
  fields: Record<string, string>;
}

/** As `MendedAsset`. */
export interface MendedFinding {
  assetId: string;
  findingId: string;
  /** Version and `seen.seenAt` (epoch ms) of the finding that was looked at; 0: there was none. */
  seenVersion: number;
  seenAt: number;
  /** Fields of `Finding` that differ, each with its value as JSON. */
  fields: Record<string, string>;
  /** Fields of `FindingSeen` that differ, each with its value as JSON. */
  seen: Record<string, string>;
}

/** What an entity is without a wrong clock that was corrected; found out by folding its partition without it. */
export interface EntityMended {
  type: 'EntityMended';
  assets: MendedAsset[];
  findings: MendedFinding[];
}

/** Offset 0 of every intake partition: the identity of the log. */
export interface LogOpened {
  type: 'LogOpened';
  logId: string;
  partitions: number;
}

/** The lists of what an asset may have, that the organization defines (spec §Asset metadata, 1). */
export const OPTION_LISTS = ['departments', 'locations'] as const;
export type OptionList = (typeof OPTION_LISTS)[number];

export type CustomFieldType = 'Any' | 'Text' | 'Select';

/** One row of the OS-to-asset-type mapping (spec §EDR-platform integration, point 3; api.md). */
export interface OsMappingRow {
  /** Compared without case; `*` stands for any run of characters, none included. */
  osPattern: string;
  assetType: string;
  attackSurface: string;
  supports: FindingType[];
}

/** The first pattern that matches wins; `default` types what none matches. */
export interface OsMapping {
  mappings: OsMappingRow[];
  default: Omit<OsMappingRow, 'osPattern'>;
}

/** Settings by name, each with its new value as JSON; the others stay. */
export interface SettingsChanged {
  type: 'SettingsChanged';
  /** Version of the settings that the user saw; null accepts any (rule 6). */
  seenVersion: number | null;
  changes: Record<string, string>;
}

/** A department or a location was added, or changed where its id is known. */
export interface OptionSaved {
  type: 'OptionSaved';
  list: OptionList;
  id: string;
  name: string;
  /** true: takes the place of the default before it. */
  isDefault: boolean;
}

export interface OptionRemoved {
  type: 'OptionRemoved';
  list: OptionList;
  id: string;
}

/** A custom field was added, or changed where its id is known (D7). */
export interface CustomFieldSaved {
  type: 'CustomFieldSaved';
  id: string;
  name: string;
  fieldType: CustomFieldType;
  multiValued: boolean;
  options: string[];
  createdAt: number;
  recognisedAt: number;
}

export interface CustomFieldRemoved {
  type: 'CustomFieldRemoved';
  id: string;
}

/** The whole list: the first pattern that matches wins. */
export interface OsMappingReplaced extends OsMapping {
  type: 'OsMappingReplaced';
  seenVersion: number | null;
}

/** For the audit trail alone: credentials and their secrets are not in the log (D27). */
export interface CredentialChanged {
  type: 'CredentialChanged';
  act: 'created' | 'rotated' | 'deleted';
  credentialId: string;
  username: string;
  role: string;
}

/**
 * For the audit trail alone: where changes are delivered to is not in the log, as who may sign in is not. A log that is
 * folded elsewhere must not begin to send to the receivers of the site that wrote it.
 */
export interface WebhookChanged {
  type: 'WebhookChanged';
  act: 'added' | 'changed' | 'removed' | 'rotated' | 'paused' | 'resumed' | 'replayed';
  webhookId: string;
  /** What was asked for: field → its value as JSON; never a secret, and of an address its origin alone. */
  details: Record<string, string>;
}

/** A publisher's list was imported. Its rows are not in the log, but what they are is (D24). */
export interface CatalogueImported {
  type: 'CatalogueImported';
  importId: string;
  catalogue: 'cve' | 'epss' | 'kev';
  /** Name of the file or directory, without its folders. */
  source: string;
  /** SHA-256 over the rows in the order in which they were read, in hexadecimal digits. */
  contentHash: string;
  /** As many as were read; of a CVE that came twice, the later one counts. */
  rows: number;
}

/** What an integration is for (D28): detections of an EDR platform, or metadata of an inventory. */
export type IntegrationType = 'edrplugin' | 'assetinventory';
/** Whose it is: the neutral code of the vendor. */
export type IntegrationSubType = 'falcon' | 'axonius';

/** An integration was added, or changed where its id is known. Its secrets are not in the log (D27). */
export interface IntegrationSaved {
  type: 'IntegrationSaved';
  id: string;
  /** Version of the integration that the change was decided on; null adds it, or accepts any (rule 6). */
  seenVersion: number | null;
  integrationType: IntegrationType;
  subType: IntegrationSubType;
  name: string;
  /** The name that its signals come under: that of its creation, whatever it is called later. */
  source: string;
  /** Field → its value as JSON. */
  config: Record<string, string>;
  /** Names of the secrets that were set with it. */
  secrets: string[];
  createdAt: number;
}

export interface IntegrationRemoved {
  type: 'IntegrationRemoved';
  id: string;
}

/** For the audit trail alone: a user asked for a sync. */
export interface SyncRequested {
  type: 'SyncRequested';
  integrationId: string;
  syncId: string;
  isFull: boolean;
}

/** Acts on the organization as a whole, all under one entity key. */
export type OrganizationPayload =
  | SettingsChanged
  | OptionSaved
  | OptionRemoved
  | CustomFieldSaved
  | CustomFieldRemoved
  | OsMappingReplaced
  | CredentialChanged
  | WebhookChanged
  | CatalogueImported
  | IntegrationSaved
  | IntegrationRemoved
  | SyncRequested;

export type IntakePayload =
  | OrganizationPayload
  | LogOpened
  | ClockCorrected
  | EntityMended
  | SignalReceived
  | AssetDescribed
  | AssessmentClosed
  | FindingAccepted
  | FindingReverted
  | EntitySwept
  | AssetRetyped
  | AssetDeleted;

export type IntakeEvent<P extends IntakePayload = IntakePayload> = { envelope: Envelope; payload: P };

/** The rules that this version of the fold writes and reads; older numbers stay readable (rule 2). */
export const CURRENT_RULES = 3;
