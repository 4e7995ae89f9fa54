import type { ScoringModel } from './scoring/scoring-model.ts';

/**
 * The events of the intake log: decisions of the edge, which the fold applies (R-FOLD-1).
 * Times are epoch milliseconds. `null` means "not given". Every type here has an Avro schema in `schemas/intake`,
 * frozen by golden logs: a new meaning is a new optional field or a new event type.
 */

/** Who or what brought an event about. `sync` is an integration's pull, `system` a tick of the service's own. */
export type CauseKind = 'json' | 'zip' | 'inbox' | 'sync' | 'user' | 'system';

export interface Cause {
  kind: CauseKind;
  /** The upload (or pull) that the event belongs to; null for user acts and ticks. */
  uploadId: string | null;
  /**
   * Receipt time of the upload: with `uploadId` it is the upload's stamp (R-FOLD-4). From rules 3 on a reading of the
   * reference clock, which is the database's, at the moment of `at`.
   */
  receivedAt: number;
  /** ZIP entry name. */
  entry: string | null;
  /** Place of the entry among the upload's signals, from 0. */
  entryIndex: number | null;
  /** 1-based place among the upload's events in this partition (R-FOLD-5). */
  ordinal: number;
  /** How many events the upload has in this partition. */
  count: number;
  syncId: string | null;
  /** User name of the credential that acted. */
  user: string | null;
  requestId: string | null;
}

/** A remark on an upload that did not stop it: an item of `warnings`. */
export interface Warning {
  entry: string | null;
  field: string;
  message: string;
}

/** Data of an upload as a whole; part of its first event in every partition, so that a replay gives its outcome. */
export interface UploadHeader {
  /** Events of the upload over all partitions. */
  events: number;
  /** Signals in it: everything but the closing events. */
  signals: number;
  /** Entries left out by `?invalid=skip`. */
  rejected: number;
  /** As given in config.json: recorded, without effect on matching (R-ASSET-5). */
  assetMatchingCriteria: string[];
  fullAssessmentForTypes: FindingType[];
  /** The first 100. */
  warnings: Warning[];
}

export interface Envelope {
  /** UUIDv5 of upload and entry, or of the act. */
  id: string;
  /** Partition key of the log. */
  entityKey: string;
  /** Time of the decision, by the clock of the program that made it. */
  at: number;
  /** Number of the fold rules that the event must be read with. */
  rules: number;
  /** Version of the settings that the edge decided with. */
  settingsVersion: number;
  cause: Cause;
  upload: UploadHeader | null;
  /** For a later encryption of payloads by entity (ADR-0078); null: the payload is not encrypted. */
  encryptionKeyId: string | null;
}

/** The finding types (R-SIG-8). */
export const FINDING_TYPES = ['finding', 'ca', 'va', 'edr', 'uba', 'waf', 'others'] as const;
export type FindingType = (typeof FINDING_TYPES)[number];

export type EntityType = 'machine' | 'user';
export type InstanceStatus = 'pass' | 'fail' | 'unknown';
export type Tags = Record<string, string[]>;

/** An asset type, with its attack surface and the finding types it supports. */
export interface AssetTyping {
  type: string;
  attackSurface: string;
  supports: FindingType[];
}

/** The data of a signal about its entity, with the edge's decisions. */
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
  /** From the OS through the mapping; null if the sender named none. */
  typing: AssetTyping | null;
  /** Configured values for fields that no source has set (R-ASSET-8). */
  defaults: { department: string; location: string; typing: AssetTyping };
  /** Plain tags, including the unrecognised ones. */
  tags: Tags;
  customFields: Tags;
  unrecognisedTags: string[];
}

/** Criticality, and CIA requirements, which have three of the levels (R-SIG-13). */
export type Level = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** How the fold treats the entity and its metadata; decided by route, config.json and settings. */
export interface AssetRules {
  /** `fqdn` keeps two FQDNs with the same first label apart (R-ASSET-2). */
  matching: 'name' | 'fqdn';
  /** false: signals of unknown entities are ignored. */
  importAssets: boolean;
  /** false: metadata of an existing asset stays. */
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
  /** Empty for the unnamed instance of a singular signal (R-FIND-3). */
  key: string;
  status: InstanceStatus;
  /** false: does not fail the finding and does not count for scoring (R-EDR-1). */
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

/** The data of a finding that a signal states once, for all instances. The fold stores it unchanged in the finding. */
export interface ObservedContent {
  type: FindingType;
  /** The sender's own type name if `type` became `others` (R-SIG-8), or `securityContext.subType`. */
  subtype: string | null;
  technical: string | null;
  businessImpact: string | null;
  controlType: string | null;
  remediation: { description: string | null; reference: string | null; impact: string | null } | null;
}

/** The data of a signal about one finding. Contexts of different types are different findings. */
export interface Observation extends ObservedContent {
  /** `whole`: these are all instances; `merge`: they are set, an unnamed one is dropped, others stay (R-FIND-4). */
  mode: 'whole' | 'merge';
  instances: ObservedInstance[];
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
  /** true: a failing signal ends an acceptance (R-ACC-3). */
  overrideAccepted: boolean;
  source: Source;
  /** Sources whose statements about an asset take precedence, the first most; ignored before rules 5. */
  trustedSources: string[];
  /** Finding name, white space collapsed. */
  name: string;
  description: string | null;
  confidence: number | null;
  firstSeen: number | null;
  lastSeen: number | null;
  /** Effective expiry (R-EXP-1). */
  expiresAt: number;
  /** End of the retention counted from this signal (R-EXP-5). */
  retainUntil: number;
  /** `expired`: stored in the log, not turned into a finding (R-EXP-3). */
  ignored: 'expired' | null;
  /** true: the instances are removed, and the finding is retired with the last (R-FIND-12). */
  revoked: boolean;
  observations: Observation[];
  /** JSON of the properties that the service does not know; kept (R-SIG-16). */
  extra: string | null;
  /** A machine's `typing` is what its source calls it, and not the type of its operating system. */
  isTypeGiven: boolean;
}

/** Metadata only, from an `entityOnly` signal or an inventory. */
export interface AssetDescribed {
  type: 'AssetDescribed';
  signalId: string;
  entity: EntityDescription;
  assetRules: AssetRules;
  source: Source;
  extra: string | null;
  /** The inventory of an EDR platform contains the entity. Only an integration states it; ignored before rules 4. */
  isEdrManaged: boolean;
  /** Id of the device at the platform of an integration, which describes it whole; ignored before rules 5. */
  deviceId: string | null;
  /** As in `SignalReceived`. */
  trustedSources: string[];
  isTypeGiven: boolean;
}

/** The upload contains nothing more about this entity: its types are replaced by stamp (R-FOLD-4). */
export interface AssessmentClosed {
  type: 'AssessmentClosed';
  types: FindingType[];
  /** Names of the entity in the upload: if `matching` distinguishes FQDNs, only those assets are meant. */
  names: string[];
  matching: AssetRules['matching'];
}

export interface FindingAccepted {
  type: 'FindingAccepted';
  findingId: string;
  /** Version the user saw; null accepts any (R-FOLD-6). */
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

/** A user or a team becomes responsible for the finding; both null: nobody is. */
export interface FindingAssigned {
  type: 'FindingAssigned';
  findingId: string;
  /** As in `FindingAccepted`. */
  seenVersion: number | null;
  /** Name of the user, who needs no account of the service. */
  user: string | null;
  team: string | null;
}

/** Tags that are added are not removed. */
export interface FindingTagged {
  type: 'FindingTagged';
  findingId: string;
  /** As in `FindingAccepted`. */
  seenVersion: number | null;
  add: string[];
  remove: string[];
}

export interface FindingDueSet {
  type: 'FindingDueSet';
  findingId: string;
  /** As in `FindingAccepted`. */
  seenVersion: number | null;
  /** null: the finding is not due. */
  due: number | null;
  reason: string | null;
}

/** A ticket of another system, where the work on a finding is tracked. */
export interface Ticket {
  /** Absolute, https. */
  url: string;
  label: string;
}

/** A ticket with the address of an earlier one replaces it. */
export interface FindingTicketsChanged {
  type: 'FindingTicketsChanged';
  findingId: string;
  /** As in `FindingAccepted`. */
  seenVersion: number | null;
  attach: Ticket[];
  /** Addresses. */
  detach: string[];
}

export interface FindingCommented {
  type: 'FindingCommented';
  findingId: string;
  /** As in `FindingAccepted`. */
  seenVersion: number | null;
  /** Markdown. */
  text: string;
  /** Names of the users that the text mentions. */
  mentions: string[];
}

/** Acts of users that organize the work on a finding and do not move its state. */
export type TriageAct =
  | FindingAssigned
  | FindingTagged
  | FindingDueSet
  | FindingTicketsChanged
  | FindingCommented;

/** Acts of users on a finding. */
export type FindingAct = FindingAccepted | FindingReverted | TriageAct;

/** A tick: applies what is due (R-FOLD-3), then deletes assets without data if the setting allows it (R-DEL-1). */
export interface EntitySwept {
  type: 'EntitySwept';
  /** Assets without active findings and without a signal since then are deleted; null: deletion is off. */
  deleteIdleSince: number | null;
}

/**
 * The OS-to-asset-type mapping changed. Gives the type to an operating system that still has the type of before; the edge
 * decides by tables that can be behind the log.
 */
export interface AssetRetyped {
  type: 'AssetRetyped';
  assetId: string;
  typing: AssetTyping;
  /** Null or omitted, as by earlier versions: whatever the asset shows. */
  os?: string | null;
  /** The type of before. Null: the mapping of before did not know the operating system. */
  from?: AssetTyping | null;
}

/** The inventory of an EDR platform no longer contains the host, or its integration was removed. */
export interface EdrManagementEnded {
  type: 'EdrManagementEnded';
  assetId: string;
  /** Source name of the integration. */
  source: string;
}

/** The platform of an integration no longer contains the device, it has another name now, or its integration was removed. */
export interface StatementEnded {
  type: 'StatementEnded';
  assetId: string;
  /** Source name of the integration. */
  source: string;
  deviceId: string;
}

export interface AssetDeleted {
  type: 'AssetDeleted';
  assetId: string;
  seenVersion: number | null;
}

/**
 * A subject was erased: the key of its personal texts is destroyed once this event is folded (ADR-0078). Its entity key is
 * that of the subject in the log, also for a person, who has no assets.
 */
export interface SubjectErased {
  type: 'SubjectErased';
  /** Id of the subject: a UUID in 22 characters of base64url. */
  subject: string;
  reason: string;
  /** Without effect unless all assets of the entity were deleted before this time; null or omitted: whatever they are. */
  deletedBefore?: number | null;
}

/**
 * The history of findings of one type, in the event's partition, is older than its retention (ADR-0108): changes that
 * another one superseded by `before` are counted and removed. Decided by the edge for changes that were published.
 */
export interface HistoryTrimmed {
  type: 'HistoryTrimmed';
  findingType: FindingType;
  /** Every state from this instant on stays known. */
  before: number;
  /** The last sequence of the superseding changes that are looked at, after those of the event before. */
  throughSequence: number;
}

/**
 * An operator sets the clock of a partition, which a wrong clock had put ahead, back to the event's time.
 * `EntityMended` corrects the entities.
 */
export interface ClockCorrected {
  type: 'ClockCorrected';
  /** In the operator's words. */
  reason: string;
}

/** The asset without the wrong clock; skipped if the asset has changed since it was read. */
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

/** The entity without a wrong clock that was corrected; computed by folding its partition without that clock. */
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
  /**
   * In the partition of the organization, with its entity key: the model that scores begin with. Null in the others, and
   * in every opening by a version before there was the field: scores begin with `DEFAULT_CHOICE`.
   */
  scoringModel: ScoringModel | null;
  /** The log whose records this one contains with sealed texts (ADR-0098); null or left out: it began empty. */
  sealedFrom?: FormerLog | null;
  /**
   * The log whose records this one contains in more partitions (ADR-0145), with the head of the partition that those of
   * this partition come from; null or left out: it began otherwise.
   */
  repartitionedFrom?: FormerLog | null;
}

interface FormerLog {
  logId: string;
  /** Chain head of the partition at the end of that log, in hexadecimal digits. */
  head: string;
}

/** The lists of options that the organization defines for assets. */
const OPTION_LISTS = ['departments', 'locations'] as const;
export type OptionList = (typeof OPTION_LISTS)[number];

export type CustomFieldType = 'Any' | 'Text' | 'Select';

/** One row of the OS-to-asset-type mapping. */
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
  /** Version of the settings that the user saw; null accepts any (R-FOLD-6). */
  seenVersion: number | null;
  changes: Record<string, string>;
}

/** A department or a location was added or changed. */
export interface OptionSaved {
  type: 'OptionSaved';
  list: OptionList;
  id: string;
  /** true: the id must be known; false or omitted: an unknown id is added. */
  isChange?: boolean;
  /** null: as it is. */
  name: string | null;
  /** true: takes the place of the default before it; null: as it is. */
  isDefault: boolean | null;
}

export interface OptionRemoved {
  type: 'OptionRemoved';
  list: OptionList;
  id: string;
}

/** A custom field was added or changed. */
export interface CustomFieldSaved {
  type: 'CustomFieldSaved';
  id: string;
  /** As of `OptionSaved`. */
  isChange?: boolean;
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

/** A tag of an asset, compared exactly. */
interface OwnerRuleTag {
  key: string;
  value: string;
}

/** Who is responsible for assets that match each list; an empty list matches all (R-OWNER-2). */
export interface OwnerRule {
  /** One of them is that of the asset. */
  departments: string[];
  locations: string[];
  /** The asset has all of them. */
  tags: OwnerRuleTag[];
  /** A user or a team; the user needs no account of the service. */
  user: string | null;
  team: string | null;
}

/** All rules: the first that matches gives the owner of an asset. */
export interface OwnerRulesReplaced {
  type: 'OwnerRulesReplaced';
  /** Version of the settings that the change was decided on; null accepts any. */
  seenVersion: number | null;
  rules: OwnerRule[];
}

/** Only for the audit trail: credentials and their secrets are not in the log (R-AUTH-11). */
export interface CredentialChanged {
  type: 'CredentialChanged';
  act:
    | 'created'
    | 'rotated'
    | 'deleted'
    | 'tokenCreated'
    | 'tokenRotated'
    | 'tokenChanged'
    | 'tokenRevoked'
    | 'roleCreated'
    | 'roleChanged'
    | 'roleDeleted'
    | 'secondFactorEnabled'
    | 'secondFactorRemoved'
    | 'recoveryCodesReplaced'
    | 'breakGlassSet'
    | 'breakGlassUnset'
    | 'userProvisioned'
    | 'userChanged'
    | 'userDisabled'
    | 'userEnabled'
    | 'userDeleted'
    | 'identityProviderCreated'
    | 'identityProviderChanged'
    | 'identityProviderDeleted';
  /** Of the credential, the API token, the user of a provider, or the provider; the name of the role. */
  credentialId: string;
  /** Or the name of the API token or role, or the id of the identity provider. */
  username: string;
  /** Or the scopes of the API token or role, with spaces between, or what the identity provider is and grants. */
  role: string;
}

/**
 * Only for the audit trail: receivers of changes are not in the log, nor are users. A log that is folded elsewhere must
 * not start to send to the receivers of the original site.
 */
export interface WebhookChanged {
  type: 'WebhookChanged';
  act:
    | 'added'
    | 'changed'
    | 'removed'
    | 'rotated'
    | 'paused'
    | 'resumed'
    | 'replayed'
    | 'reportScheduleAdded'
    | 'reportScheduleChanged'
    | 'reportScheduleRemoved'
    | 'reportScheduleSent'
    | 'notificationSettingsChanged';
  /** Of the webhook, or of the report schedule; `notifications` of the settings of notifications. */
  webhookId: string;
  /** The request: field → its value as JSON; never a secret, and only the origin of an address. */
  details: Record<string, string>;
}

/** A publisher's list was imported. Its rows are not in the log, but their hash is (R-CAT-3). */
export interface CatalogueImported {
  type: 'CatalogueImported';
  importId: string;
  catalogue: 'attack' | 'ctid' | 'cve' | 'epss' | 'kev';
  /** Name of the file or directory, without its folders. */
  source: string;
  /** SHA-256 over the rows in the order in which they were read, in hexadecimal digits. */
  contentHash: string;
  /** As many as were read; of a CVE that came twice, the later one counts. */
  rows: number;
  /** Instant before the event from which on the rows are in force; null or left out: from the event on. */
  effectiveFrom?: number | null;
}

/** The data that an integration pulls: detections of an EDR platform, metadata of an inventory, or vulnerabilities. */
export type IntegrationType = 'edrplugin' | 'assetinventory' | 'vulnerabilityscanner';
/** Whose it is: the neutral code of the vendor. */
export type IntegrationSubType = 'falcon' | 'axonius' | 'tenable';

/** An integration was added, or changed if its id is known. Its secrets are not in the log (R-KEY-2). */
export interface IntegrationSaved {
  type: 'IntegrationSaved';
  id: string;
  /** Version of the integration that the change was decided on; null adds it, or accepts any. */
  seenVersion: number | null;
  integrationType: IntegrationType;
  subType: IntegrationSubType;
  name: string;
  /** The source name of its signals: its name at creation, also after it is renamed. */
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

/** Of a remediation plan. Scores of a plan that ended are compared as of its end. */
export const PLAN_STATES = ['planned', 'active', 'done', 'cancelled'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** Scores of the organization when a plan began, as they were and as they would be with all of it fixed; null: no score. */
export interface PlanPromise {
  model: string;
  /** Points, 0 to 100. */
  score: number | null;
  scoreAfter: number | null;
  /** 0 to 1. */
  breachLikelihood: number | null;
  breachLikelihoodAfter: number | null;
}

/** A remediation plan was added, or changed if its id is known. Only the audit trail has its content (ADR-0127). */
export interface PlanSaved {
  type: 'PlanSaved';
  id: string;
  /** Version of the plan that the change was decided on; null adds it. */
  seenVersion: number | null;
  name: string;
  description: string | null;
  /** Who is responsible, a user or a team; both null: nobody is. The user needs no account of the service. */
  ownerUser: string | null;
  ownerTeam: string | null;
  due: number | null;
  state: PlanState;
  /** The findings to fix, also those that a query has selected. */
  findingIds: string[];
  /** Query of the list of findings that selected them last; null: none did. */
  query: string | null;
  createdAt: number;
  startedAt: number | null;
  /** When it was done or cancelled. */
  finishedAt: number | null;
  /** Of its start; null before. */
  promise: PlanPromise | null;
}

export interface PlanRemoved {
  type: 'PlanRemoved';
  id: string;
  /** As in `PlanSaved`; null accepts any. */
  seenVersion: number | null;
}

/** Only for the audit trail: a user asked for a sync. */
interface SyncRequested {
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
  | OwnerRulesReplaced
  | CredentialChanged
  | WebhookChanged
  | CatalogueImported
  | IntegrationSaved
  | IntegrationRemoved
  | PlanSaved
  | PlanRemoved
  | SyncRequested;

export type IntakePayload =
  | OrganizationPayload
  | LogOpened
  | ClockCorrected
  | HistoryTrimmed
  | EntityMended
  | SignalReceived
  | AssetDescribed
  | AssessmentClosed
  | FindingAct
  | EntitySwept
  | AssetRetyped
  | EdrManagementEnded
  | StatementEnded
  | AssetDeleted
  | SubjectErased;

export type IntakeEvent<P extends IntakePayload = IntakePayload> = { envelope: Envelope; payload: P };

/** The rules that this version of the fold writes and reads; older numbers stay readable (R-FOLD-2). */
export const CURRENT_RULES = 11;
