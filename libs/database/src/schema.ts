import type { ColumnType, Generated } from 'kysely';

/** timestamptz: epoch milliseconds when read; a Date or an ISO 8601 text when written. */
export type Instant = ColumnType<number, Date | string, Date | string>;
type DefaultedInstant = ColumnType<number, Date | string | undefined, Date | string>;
/** json and jsonb: parsed when read; the JSON text when written. */
export type Json = ColumnType<unknown, string, string>;
/** PostgreSQL computes it. */
type Computed<T> = ColumnType<T, never, never>;
/** A number when read; as `::text` with all of its digits. */
type Numeric = ColumnType<number, string, string>;
type NullableNumeric = ColumnType<number | null, string | null, string | null>;
type NullableJson = ColumnType<unknown, string | null, string | null>;

interface LogEnds {
  topic: string;
  partition: number;
  next_offset: Generated<number>;
}

interface LogRecords {
  topic: string;
  partition: number;
  offset: number;
  key: string;
  headers: NullableJson;
  value: Buffer;
  stored_at: DefaultedInstant;
}

interface LogPublishers {
  topic: string;
  partition: number;
  name: string;
  epoch: number;
}

interface LogIdentity {
  only_row: Generated<boolean>;
  log_id: string;
  partitions: number;
}

interface Credentials {
  id: string;
  username: string;
  password_hash: string;
  /** `admin`, `analyst`, `viewer`, or a name of `roles`. */
  role: string;
  created_at: Instant;
  last_used_at: Instant | null;
  generation: Generated<number>;
  /** Limits of rows; null: all. */
  departments: Generated<string[] | null>;
  locations: Generated<string[] | null>;
  is_break_glass: Generated<boolean>;
  second_factor_due_at: ColumnType<number | null, Date | string | null | undefined, Date | string | null>;
  second_factor_acts: number | null;
}

interface SecondFactors {
  credential_id: string;
  secret: string;
  confirmed_at: Instant | null;
  last_step: Generated<number>;
  recovery_hashes: Generated<Buffer[]>;
  attempts: Generated<number>;
  attempts_until: DefaultedInstant;
}

interface Roles {
  name: string;
  scopes: string[];
  created_at: DefaultedInstant;
}

interface ApiTokens {
  id: string;
  name: string;
  secret_hash: Buffer | null;
  previous_hash: Buffer | null;
  previous_until: Instant | null;
  scopes: string[];
  networks: string[];
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
  generation: Generated<number>;
  /** As of credentials. */
  departments: Generated<string[] | null>;
  locations: Generated<string[] | null>;
}

interface Users {
  id: string;
  provider: string;
  subject: string | null;
  name: string;
  grants: string[];
  departments: string[] | null;
  locations: string[] | null;
  created_at: Instant;
  last_sign_in_at: Instant | null;
  is_active: Generated<boolean>;
  user_name: Generated<string | null>;
  external_id: Generated<string | null>;
  display_name: Generated<string | null>;
  changed_at: ColumnType<number | null, Date | undefined, Date | null>;
  rights_changes: Generated<number>;
  groups_claim: Generated<string | null>;
  claimed_groups: Generated<string[] | null>;
  given_rights: Generated<string | null>;
}

interface UserGroups {
  id: string;
  provider: string;
  display_name: string;
  external_id: string | null;
  members: Generated<string[]>;
  created_at: Instant;
  changed_at: Instant;
}

interface Sessions {
  id: string;
  secret_hash: Buffer;
  user_id: string | null;
  credential_id: string | null;
  generation: number | null;
  created_at: Instant;
  expires_at: Instant;
  ends_at: Instant;
  address: string;
  user_agent: string;
  provider_session: string | null;
  refresh_token: string | null;
  checked_at: Instant | null;
  check_at: Instant | null;
  rights_digest: Generated<string | null>;
}

interface JsonLeases {
  minute: Instant;
  leased: number;
}

interface JsonSignals {
  credential_id: string;
  hour: Instant;
  signals: number;
}

interface SecurityEvents {
  id: string;
  minute: Instant;
  at: Instant;
  last_at: Instant;
  count: number;
  kind: string;
  outcome: string;
  reason: string;
  user_name: string;
  token: string;
  address: string;
  request_id: string;
}

interface RefusedUploads {
  /** Date in UTC. */
  day: string;
  kind: string;
  status: number;
  reason: string;
  count: number;
  last_at: Instant;
}

interface ActOrigins {
  request_id: string;
  by_user: string;
  address: string;
  token: string;
  at: Instant;
}

interface IdempotencyKeys {
  credential_id: string;
  key: string;
  upload_id: string;
  body_sha256: Buffer;
  received_at: Instant;
  answer: NullableJson;
  settings_version: number | null;
  subjects_sha256: Buffer | null;
}

interface TrustedTime {
  only_row: Generated<boolean>;
  at: Instant;
}

interface ClockConfirmations {
  clock: Instant;
  last_trusted: Instant | null;
  confirmed_by: string;
  reason: string;
}

interface ProjectionPositions {
  partition: number;
  next_offset: Generated<number>;
  clock: DefaultedInstant;
  asset_counter: Generated<number>;
  finding_sequence: Generated<number>;
  asset_sequence: Generated<number>;
  digested_sequence: Generated<number | null>;
}

interface Assets {
  asset_no: number;
  id: string;
  partition: number;
  entity_key: string;
  name: string;
  type: string;
  attack_surface: string;
  department: string;
  location: string;
  criticality: string | null;
  sources: string[];
  edr_sources: Generated<string[]>;
  stated_devices: Generated<string[]>;
  custom_fields: Json;
  deleted_at: Instant | null;
  state: Json;
  sort_name: Computed<string>;
}

interface AssetSeen {
  asset_no: number;
  partition: number;
  last_seen: Instant;
  due_at: Instant | null;
  idle_since: Instant | null;
}

interface AssetHistory {
  partition: number;
  sequence: number;
  asset_no: number;
  at: Instant;
  change: string;
  cause: Json;
  log_offset: number;
  state: Json;
}

interface Findings {
  asset_no: number;
  finding_no: number;
  id: string;
  partition: number;
  type: string;
  name: string;
  state: string;
  severity_value: number;
  cves: string[];
  techniques: string[];
  source: string | null;
  assignee: Generated<string | null>;
  tags: Generated<string[] | null>;
  due_ms: Generated<number | null>;
  failed_since_ms: Generated<number | null>;
  settled_at_ms: Generated<number | null>;
  version: number;
  body: Json;
  sort_name: Computed<string>;
  text_id: Generated<string>;
  updated_ms: Generated<number | null>;
  first_seen_ms: Generated<number | null>;
  derived_version: Generated<number | null>;
}

interface FindingTexts {
  id: string;
  words: string;
}

interface FindingTextsRead {
  partition: number;
  sequence: number;
  history_table: number;
}

interface FindingSeen {
  asset_no: number;
  finding_no: number;
  partition: number;
  signal_id: string;
  last_seen: Instant;
  expires_at: Instant;
  retain_until: Instant;
  stamp_at: Instant;
  stamp_upload: string;
  instance_stamps: NullableJson;
  seen_at: Instant | null;
  digest: Generated<string | null>;
}

interface FindingHistory {
  partition: number;
  sequence: number;
  asset_no: number;
  finding_no: number;
  at: Instant;
  change: string;
  from_state: string | null;
  to_state: string;
  reason: string | null;
  cause: Json;
  log_offset: number;
  body: Json;
  expired_at: Instant | null;
}

interface HistoryTrims {
  partition: number;
  finding_type: string;
  kept_from: Instant;
  through_sequence: number;
  removed: number;
}

interface HistorySummaries {
  partition: number;
  finding_type: string;
  /** Such as `2026-03`. */
  month: string;
  change: string;
  state: string;
  severity: string;
  changes: number;
}

interface FindingTotals {
  partition: number;
  group_key: string;
  state: string;
  type: string;
  severity: string;
  asset_type: string;
  department: string;
  findings: number;
}

interface TechniqueTotals {
  partition: number;
  technique_key: string;
  is_family: boolean;
  state: string;
  type: string;
  technique: string;
  findings: number;
}

interface TotalsProgress {
  partition: number;
  /** Number of the table `findings` in `pg_class`. */
  findings_table: number;
  next_offset: number;
  /** Null: all. */
  counted_assets: number | null;
}

interface PublishedChanges {
  topic: string;
  partition: number;
  sequence: number;
}

interface RegisteredSchemas {
  registry: string;
  subject: string;
  schema_id: number;
  registry_id: number;
  schema: string | null;
  registered_at: DefaultedInstant;
}

interface UploadProgress {
  upload_id: string;
  partition: number;
  kind: string;
  by_user: string | null;
  received_at: Instant;
  seen: number;
  event_count: number;
  signals: number;
  header: NullableJson;
  counts: Json;
  merged: Json;
  unrecognised_tags: string[];
  changes: NullableJson;
  sole_assets: NullableJson;
}

interface UploadReceipts {
  upload_id: string;
  kind: string;
  /** Null: of the inbox. */
  by_user: string | null;
  received_at: Instant;
  events: number;
  signals: number;
  rejected: number;
  warnings: Json;
  /** Topic, partition and offset; null: sent over HTTP. */
  source: Generated<string | null>;
}

interface InboxPositions {
  partition: number;
  next_offset: number;
}

interface Quarantine {
  partition: number;
  log_offset: number;
  key: string;
  value: Buffer;
  reason: string;
  at: Instant;
}

interface OrganizationRow {
  entity_key: string;
  partition: number;
  version: number;
  state: Json;
}

interface Acts {
  partition: number;
  log_offset: number;
  at: Instant;
  by_user: string | null;
  action: string;
  target: string;
  detail: Json;
  refused: string | null;
  request_id: string | null;
}

interface Retypings {
  partition: number;
  mapping_version: number;
  after_asset_no: number;
}

type CatalogueKind = 'attack' | 'ctid' | 'cve' | 'epss' | 'kev';

interface CatalogueImports {
  id: string;
  catalogue: CatalogueKind;
  source: string;
  started_at: Instant;
  staged_rows: Generated<number>;
  staged_hash: string | null;
  content_hash: string | null;
  valid_from: Instant | null;
  added: number | null;
  changed: number | null;
  removed: number | null;
  marking_from: number | null;
}

interface CatalogueStaged {
  import_id: string;
  cve: string;
  value: Json;
}

interface CatalogueRows {
  catalogue: CatalogueKind;
  /** Id of the CVE; of the technique in rows of `attack`. */
  cve: string;
  value: Json;
  valid_from: Instant;
  /** `Infinity` while it is in force. */
  valid_to: DefaultedInstant;
}

interface ScoredPartitions {
  partition: number;
  asset_sequence: Generated<number>;
  finding_sequence: Generated<number>;
  sequence: Generated<number>;
  model: string;
  choices_offset: Generated<number>;
  choices: NullableJson;
  decisions_version: Generated<number>;
}

interface AssetScores {
  asset_no: number;
  partition: number;
  score: number | null;
  likelihood: number | null;
  model: Generated<string>;
  likelihood_low: number | null;
  likelihood_best: number | null;
  likelihood_high: number | null;
  scored_at: Instant;
  due_at: Instant | null;
  due_from: Instant | null;
}

interface FindingDecisions {
  partition: number;
  asset_no: number;
  finding_no: number;
  decision: string;
  exploitation: string;
  automatable: boolean;
  technical_impact: string;
  mission: string;
  cve: string;
  /** Days; read them as text. */
  kev_added: unknown;
  kev_due: unknown;
  kev_ransomware: boolean | null;
  epss: number | null;
}

interface ScoreHistory {
  asset_no: number;
  partition: number;
  valid_from: Instant;
  /** `Infinity` while it lasts. */
  valid_to: DefaultedInstant;
  score: number | null;
  likelihood: number | null;
  type: string;
  attack_surface: string;
  department: string;
  location: string;
  model: Generated<string>;
  likelihood_low: number | null;
  likelihood_best: number | null;
  likelihood_high: number | null;
  forecast: NullableNumeric;
  evidence_low: NullableNumeric;
  evidence_best: NullableNumeric;
  evidence_high: NullableNumeric;
  weighted: NullableNumeric;
}

interface ScoreSums {
  partition: number;
  kind: 'organization' | 'type' | 'attackSurface' | 'department' | 'location';
  name: string;
  assets: number;
  scored_assets: number;
  fourth_powers: Numeric;
  likelihood: number;
  compromised_low: Generated<number>;
  compromised_best: Generated<number>;
  compromised_high: Generated<number>;
  forecast: Generated<number>;
  evidence_low: Generated<number>;
  evidence_best: Generated<number>;
  evidence_high: Generated<number>;
  name_key: Computed<string>;
}

interface ScoreChanges {
  partition: number;
  sequence: number;
  asset_no: number;
  asset_id: string;
  asset_name: string;
  at: Instant;
  score: number | null;
  likelihood: number | null;
  previous_score: number | null;
  previous_likelihood: number | null;
  likelihood_best: number | null;
  previous_likelihood_best: number | null;
  is_gone: boolean;
  model: string;
  catalogue: string;
  places: NullableJson;
}

interface Rescorings {
  partition: number;
  asset_no: number;
  since: Instant;
}

interface IntegrationSecrets {
  integration_id: string;
  name: string;
  sealed: string;
  version: number;
  given_at: Generated<Instant>;
}

/** Keys of persons; a key that was destroyed has neither lookup nor `wrapped`. */
interface SubjectKeys {
  subject: string;
  lookup: Buffer | null;
  wrapped: string | null;
  created_at: Generated<Instant>;
  destroyed_at: Instant | null;
}

interface Syncs {
  id: string;
  integration_id: string;
  action: 'manual' | 'scheduled' | 'catchUp';
  is_full: boolean;
  scope: string | null;
  requested_by: string | null;
  requested_at: Instant;
  started_at: Instant | null;
  finished_at: Instant | null;
  stage: 'QUEUED' | 'TRANSFORMING' | 'COMPLETED' | 'ERROR';
  percent: Generated<number>;
  status: 0 | 1 | 2 | 3;
  counts: ColumnType<unknown, string | undefined, string>;
  errors: ColumnType<unknown, string | undefined, string>;
  watermark: string | null;
  retry: Generated<number>;
  cancel_requested_at: Instant | null;
  cancel_requested_by: string | null;
  end_reason: 'cancelled' | 'overBudget' | 'interrupted' | null;
  uploads: Generated<number>;
  counted: Generated<number>;
  outcome: ColumnType<unknown, string | undefined, string>;
}

interface ImportContexts {
  id: number;
  kind: 'productType' | 'product' | 'engagement' | 'test';
  parent_id: number;
  name: string;
}

interface IdentityProviders {
  id: string;
  label: string;
  issuer: string;
  settings: ColumnType<unknown, string, string>;
  client_secret: string | null;
  generation: number;
  created_at: Instant;
  changed_at: Instant;
  removed_at: Instant | null;
}

interface Webhooks {
  id: string;
  version: Generated<number>;
  url: string;
  topics: string[];
  filter: ColumnType<unknown, string | undefined, string>;
  secret: string;
  previous_secret: string | null;
  previous_until: Instant | null;
  enabled: boolean;
  paused: NullableJson;
  position: string;
  created_at: Instant;
  updated_at: Instant;
  departments: string[] | null;
  locations: string[] | null;
  kind: Generated<string>;
  options: ColumnType<unknown, string | undefined, string>;
}

interface WebhookTickets {
  webhook_id: string;
  finding_id: string;
  state: 'opening' | 'open' | 'closed';
  key: string | null;
  url: string | null;
  opened_at: Instant;
  changed_at: Instant;
}

interface SavedViews {
  id: string;
  owner_id: string;
  owner: string;
  list: 'findings' | 'assets';
  name: string;
  query: string;
  is_shared: boolean;
  version: Generated<number>;
  created_at: Instant;
  updated_at: Instant;
}

interface DefaultViews {
  person_id: string;
  list: 'findings' | 'assets';
  view_id: string;
}

interface WebhookDeliveries {
  id: string;
  webhook_id: string;
  status: 'pending' | 'delivered' | 'superseded';
  from_position: string;
  to_position: string;
  changes: number;
  bytes: number;
  created_at: Instant;
  attempts: Generated<number>;
  first_attempt_at: Instant | null;
  last_attempt_at: Instant | null;
  next_attempt_at: Instant | null;
  finished_at: Instant | null;
  answer: NullableJson;
}

interface ReportSchedules {
  id: string;
  version: Generated<number>;
  name: string;
  report: 'board' | 'technical';
  cron: string;
  time_zone: string;
  channels: ('email' | 'webhook')[];
  content: string;
  owner_id: string;
  enabled: boolean;
  stopped: NullableJson;
  next_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

interface ReportDeliveries {
  id: string;
  schedule_id: string;
  channel: 'email' | 'webhook';
  at: Instant;
  cause: 'schedule' | 'catchUp' | 'user';
  status: 'pending' | 'sent' | 'failed';
  attempts: Generated<number>;
  created_at: Instant;
  last_attempt_at: Instant | null;
  next_attempt_at: Instant | null;
  finished_at: Instant | null;
  answer: NullableJson;
}

interface NotificationPeople {
  person_id: string;
  kinds: string[];
  teams: Generated<string[]>;
  channel: 'email' | 'slack' | 'teams' | null;
  content: string | null;
  schedule: Generated<'immediate' | 'daily' | 'weekly'>;
  time_zone: Generated<string>;
  /** `HH:MM`, as the others. */
  daily_at: Generated<string>;
  weekday: Generated<number>;
  quiet_from: string | null;
  quiet_to: string | null;
  checked_through: Instant;
  next_check_at: Instant;
  next_message_at: Instant | null;
}

interface NotificationMessages {
  id: string;
  person_id: string;
  is_test: boolean;
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  attempts: Generated<number>;
  created_at: Instant;
  next_attempt_at: Instant | null;
  finished_at: Instant | null;
  answer: NullableJson;
}

interface Notifications {
  id: string;
  person_id: string;
  key: string;
  kind: string;
  at: Instant;
  by_user: string | null;
  findings: number;
  finding_ids: string[];
  subject_id: string | null;
  read_at: Instant | null;
  is_to_send: boolean;
  message_id: string | null;
}

interface NotifiedProblems {
  kind: 'syncFailed' | 'webhookStopped' | 'reportFailed' | 'scheduleStopped';
  subject_id: string;
  cause: string;
  notified_at: Instant;
}

interface NotifiedFindings {
  person_id: string;
  kind: 'overdue' | 'dueSoon' | 'acceptanceEnding';
  finding_ids: string[];
  is_whole: boolean;
}

interface NotificationPositions {
  partition: number;
  log_offset: number;
}

interface NotificationSettings {
  only_row: Generated<boolean>;
  content: string;
  is_restored: Generated<boolean>;
  updated_at: Instant;
}

/** The tables of `migrations/`, as Kysely reads and writes them. Whole numbers stay below 2^53. */
export interface Schema {
  log_ends: LogEnds;
  log_records: LogRecords;
  log_publishers: LogPublishers;
  log_identity: LogIdentity;
  credentials: Credentials;
  second_factors: SecondFactors;
  api_tokens: ApiTokens;
  roles: Roles;
  users: Users;
  user_groups: UserGroups;
  identity_providers: IdentityProviders;
  sessions: Sessions;
  json_leases: JsonLeases;
  json_signals: JsonSignals;
  act_origins: ActOrigins;
  security_events: SecurityEvents;
  idempotency_keys: IdempotencyKeys;
  import_contexts: ImportContexts;
  trusted_time: TrustedTime;
  clock_confirmations: ClockConfirmations;
  projection_positions: ProjectionPositions;
  assets: Assets;
  asset_seen: AssetSeen;
  asset_history: AssetHistory;
  findings: Findings;
  finding_seen: FindingSeen;
  finding_history: FindingHistory;
  history_trims: HistoryTrims;
  history_summaries: HistorySummaries;
  finding_totals: FindingTotals;
  technique_totals: TechniqueTotals;
  totals_progress: TotalsProgress;
  finding_texts: FindingTexts;
  finding_texts_read: FindingTextsRead;
  published_changes: PublishedChanges;
  registered_schemas: RegisteredSchemas;
  upload_progress: UploadProgress;
  upload_receipts: UploadReceipts;
  refused_uploads: RefusedUploads;
  inbox_positions: InboxPositions;
  quarantine: Quarantine;
  organization: OrganizationRow;
  acts: Acts;
  retypings: Retypings;
  catalogue_imports: CatalogueImports;
  catalogue_staged: CatalogueStaged;
  catalogue_rows: CatalogueRows;
  scored_partitions: ScoredPartitions;
  asset_scores: AssetScores;
  finding_decisions: FindingDecisions;
  score_history: ScoreHistory;
  score_sums: ScoreSums;
  score_changes: ScoreChanges;
  rescorings: Rescorings;
  integration_secrets: IntegrationSecrets;
  subject_keys: SubjectKeys;
  syncs: Syncs;
  webhooks: Webhooks;
  webhook_deliveries: WebhookDeliveries;
  webhook_tickets: WebhookTickets;
  report_schedules: ReportSchedules;
  report_deliveries: ReportDeliveries;
  saved_views: SavedViews;
  default_views: DefaultViews;
  notification_people: NotificationPeople;
  notification_messages: NotificationMessages;
  notifications: Notifications;
  notification_positions: NotificationPositions;
  notification_settings: NotificationSettings;
  notified_problems: NotifiedProblems;
  notified_findings: NotifiedFindings;
}
