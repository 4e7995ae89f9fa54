import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  IntersectionType,
  OmitType,
} from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNumber, IsString, IsUUID, Matches, Max, Min } from 'class-validator';
import {
  type DueDate,
  FINDING_TYPES,
  type FindingState,
  type FindingType,
  type Level,
  posture2,
  SLA_STATES,
  type SlaState,
} from '#libs/domain';
import { type AssigneeBy, INSTANCES_SHOWN_MAX } from '#libs/views';
import { LEVELS } from '../assets/levels.ts';
import { lowerCased } from '../http/lower-cased.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsInstant } from '../paging/instant.ts';
import { IsText } from '../paging/is-text.ts';
import { IsOneOrMoreOf, type OneOrMore } from '../paging/one-or-more.ts';
import { pageOf } from '../paging/page.ts';
import { QUERY_TEXT_CHARACTERS_MAX, SEARCH_CHARACTERS_MAX, SEARCH_RULES } from '../paging/search-query.ts';
import { IsSort } from '../paging/sort.ts';
import { PAST_SORT_BOUND } from '../paging/sorted-past.ts';
import { ABRIDGED } from './abridge-changes.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { ASSIGNEE_CHARACTERS_MAX, AssigneeDto, TAG, TAG_RULE, TicketDto } from './triage-values.dto.ts';

export const FINDING_STATES = ['Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed', 'Retired'] as const;

const PAST_SEEN =
  'null only with `asOf`, if a later signal has changed the value, or a limited caller does not see the asset now';

const upperCased = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toUpperCase() : value;

/** Filters of findings, in addition to paging; all given ones must match. */
export class FindingFilterQuery {
  @IsOneOrMoreOf(FINDING_TYPES)
  type?: OneOrMore<FindingType>;

  @IsOneOrMoreOf(FINDING_STATES, 'Default: all states except Retired.')
  state?: OneOrMore<FindingState>;

  @ApiPropertyOptional({ minimum: 0, maximum: 10, description: 'Severity of this value or more' })
  @MayBeLeftOut()
  @NumberFromText()
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @IsOneOrMoreOf(LEVELS, 'Level of `severity.value`, as counts have it in `severityLevel`.')
  severity?: OneOrMore<Level>;

  @IsOneOrMoreOf(
    posture2.SSVC_DECISIONS,
    'SSVC decision: only findings with one of these. Rejected together with a past `asOf`.',
  )
  ssvc?: OneOrMore<posture2.SsvcDecision>;

  @ApiPropertyOptional({ example: 'CVE-2021-44228', description: 'Id of a CVE' })
  @MayBeLeftOut()
  @Transform(upperCased)
  @Matches(/^CVE-\d{4}-\d{4,}$/, { message: 'cve must be a CVE id such as CVE-2021-44228' })
  cve?: string;

  @Transform(upperCased)
  @IsText({ lengthMax: 600, example: 'T1059.001', description: 'Id of an ATT&CK technique' })
  technique?: string;

  @IsText({ lengthMax: 1000, description: 'Name of the source tool' })
  source?: string;

  @IsText({
    lengthMax: 1000,
    description: 'Substring of the first 600 characters of the name, case-insensitive',
  })
  name?: string;

  @IsText({
    lengthMax: 1200,
    description: 'The whole name, or its first 600 characters, case-insensitive',
  })
  title?: string;

  @IsText({
    lengthMax: QUERY_TEXT_CHARACTERS_MAX,
    example: 'log4j severity:critical,high department:"Human Resources" firstSeen:>=2026-01-01',
    description:
      `Words to search for, at most ${SEARCH_CHARACTERS_MAX} characters, and filters as \`key:value\`: each parameter of ` +
      'this query that filters findings, `xMin` and `xAfter` as `x:>=value`, `xBefore` as `x:<value`. Quote a value with ' +
      'spaces, and a word that looks like a filter. The words are searched for in names and in the first 4,000 ' +
      `characters of descriptions. ${SEARCH_RULES}, unless it has filters`,
  })
  q?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Id of the asset' })
  @MayBeLeftOut()
  @IsUUID()
  assetId?: string;

  @IsText({
    lengthMax: ASSIGNEE_CHARACTERS_MAX,
    description:
      'Exact name of the user or team that is responsible: the assignee, also the owner of the asset by the owner rules',
  })
  assignee?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true`: findings with an assignee, also by the owner rules; `false`: findings without',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  assigned?: 'true' | 'false';

  @ApiPropertyOptional({ pattern: TAG.source, example: 'internet-facing', description: 'Tag of the finding' })
  @MayBeLeftOut()
  @Transform(lowerCased)
  @IsString()
  @Matches(TAG, { message: `tag must be ${TAG_RULE}` })
  tag?: string;

  @IsInstant({ description: 'Due before this time' })
  dueBefore?: number;

  @ApiPropertyOptional({
    enum: SLA_STATES,
    description:
      '`due`: Failed or Not Assessed, not past the due date; `overdue`: past it; `met`: Qualified by its due date; ' +
      '`missed`: Qualified after it. Due dates are those of users, otherwise of the setting `sla`',
  })
  @MayBeLeftOut()
  @IsIn(SLA_STATES, { message: `sla must be one of ${SLA_STATES.join(', ')}` })
  sla?: SlaState;

  @IsText({ lengthMax: 1000, description: 'Department of the asset' })
  department?: string;

  @IsText({ lengthMax: 1000, description: 'Location of the asset' })
  location?: string;

  @IsText({ lengthMax: 1000, description: 'Type of the asset' })
  assetType?: string;

  @ApiPropertyOptional({ enum: LEVELS, description: 'Criticality of the asset' })
  @MayBeLeftOut()
  @Transform(lowerCased)
  @IsIn(LEVELS)
  criticality?: string;

  @ApiPropertyOptional({
    enum: ['true'],
    description:
      'Only findings with an SSVC decision and a valid CVE of their failing instances that is used in ransomware campaigns. Rejected together with a past `asOf`',
  })
  @MayBeLeftOut()
  @IsIn(['true'])
  ransomware?: 'true';

  @ApiPropertyOptional({
    enum: ['true'],
    description:
      'Only findings with an SSVC decision and a valid CVE of their failing instances that is known to be exploited. Rejected together with a past `asOf`',
  })
  @MayBeLeftOut()
  @IsIn(['true'])
  kev?: 'true';

  @ApiPropertyOptional({
    minimum: 0,
    maximum: 1,
    example: 0.1,
    description:
      'Only findings with an SSVC decision and a valid CVE of this EPSS probability or more. Rejected together with a past `asOf`',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsNumber()
  @Min(0)
  @Max(1)
  epssMin?: number;

  @IsInstant({ description: 'First seen at this time or later' })
  firstSeenAfter?: number;

  @IsInstant({ description: 'First seen before this time' })
  firstSeenBefore?: number;

  @IsInstant({ description: 'Settled (`settledAt`) at this time or later, and not failed again since' })
  settledAfter?: number;

  @IsInstant({
    description:
      'Failed again at this time or later, after having been settled, as far as the history is kept',
  })
  reopenedAfter?: number;

  @IsInstant({
    description:
      'Became Failed at this time or later, for the first time or again, as far as the history is kept: when the service learned of it, which can be later than `firstSeen`',
  })
  failedAfter?: number;

  @IsInstant({ description: 'Only accepted findings whose acceptance ends before this time' })
  acceptedUntilBefore?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only findings of this remediation plan' })
  @MayBeLeftOut()
  @Transform(lowerCased)
  @IsUUID()
  plan?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'Id of an upload: only findings that its events changed: created, updated, moved to another state, returned or ' +
      'retired (`state=Retired`). Signals that only confirm a finding change nothing. With `asOf`, changes until that ' +
      'time. 400 if there is no such upload, if its changes are not recorded (`GET /api/v3/uploads/{id}/changes`), or ' +
      'if they are among more than 100,000 changes of findings; 410 if some were removed under the retention of the history',
  })
  @MayBeLeftOut()
  @Transform(lowerCased)
  @IsUUID()
  upload?: string;
}

const SORT =
  'Default: by asset, then by first occurrence. This order never changes. `-` sorts in descending order. Names are ' +
  'sorted case-insensitively, by code points of their first 600 characters. ' +
  'With `due`, the list contains only findings with a due date. ' +
  `${PAST_SORT_BOUND} findings. Only the filters \`type\`, \`assetId\`, \`plan\` and \`upload\` reduce this number`;

/** The query of the list of findings. */
export class FindingsQuery extends IntersectionType(AsOfPageQuery, FindingFilterQuery) {
  @IsSort(Object.keys(FINDING_SORTS), SORT)
  sort?: string;
}

/** The query of the list of one asset's findings. */
export class AssetFindingsQuery extends OmitType(FindingsQuery, ['assetId'] as const) {}

export class SeverityDto {
  @ApiProperty({ minimum: 0, maximum: 10 })
  value!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As the source states it; filters, counts and CSV have the level of `value`',
  })
  level!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'CVSS vector' })
  vector!: string | null;
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 10 })
  baseScore!: number | null;
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 10, description: 'CVSS temporal score' })
  temporalScore!: number | null;
  @ApiProperty({ type: String, nullable: true, example: 'cvss' })
  type!: string | null;
}

export class InstanceDto {
  @ApiProperty({
    description:
      'Detection id, port/protocol or a hash; empty for the only instance of a signal without instances',
  })
  key!: string;
  @ApiProperty({ enum: ['Failed', 'Qualified', 'NotAssessed'] })
  status!: string;
  @ApiProperty({ description: 'false: excluded from pass/fail and from scoring' })
  counted!: boolean;
  @ApiProperty({ type: String, nullable: true })
  evidence!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })
  tags!: Record<string, string[]>;
}

export class RemediationDto {
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
  @ApiProperty({ type: String, nullable: true })
  reference!: string | null;
  @ApiProperty({ type: String, nullable: true })
  impact!: string | null;
}

export class AcceptanceDto {
  @ApiProperty()
  by!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty()
  rationale!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until!: string | null;
}

export class HoldDto {
  @ApiProperty()
  by!: string;
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** A publisher's estimate for a CVE. */
export class EpssDto {
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: 'Probability of exploitation in the 30 days after `date`',
  })
  probability!: number;
  @ApiProperty({ format: 'date', example: '2026-05-31' })
  date!: string;
}

/** A CVE as the imported catalogues have it. */
export class MappedCveDto {
  @ApiProperty({ example: 'CVE-2021-44228' })
  id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'PUBLISHED',
    description: 'null if no catalogue contains the CVE',
  })
  state!: string | null;
  @ApiProperty({ type: EpssDto, nullable: true })
  epss!: EpssDto | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Day when CISA added it to its Known Exploited Vulnerabilities catalogue',
  })
  knownExploitedSince!: string | null;
}

/** A technique as MITRE ATT&CK has it. */
export class MappedTechniqueDto {
  @ApiProperty({ example: 'T1059.001' })
  id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null if ATT&CK does not contain the technique' })
  name!: string | null;
  @ApiProperty({ type: [String], example: ['execution'] })
  tactics!: string[];
  @ApiProperty({ description: 'true: excluded from scoring' })
  revoked!: boolean;
}

/** `cves` and `techniques` in the words of the catalogues that are in force, or were at `asOf`. */
export class FindingMappingsDto {
  @ApiProperty({ type: [MappedCveDto] })
  cves!: MappedCveDto[];
  @ApiProperty({ type: [MappedTechniqueDto] })
  techniques!: MappedTechniqueDto[];
}

/** The entry of a CVE in CISA's Known Exploited Vulnerabilities catalogue. */
export class KevEntryDto {
  @ApiProperty({ example: 'CVE-2021-44228' })
  cve!: string;
  @ApiProperty({ format: 'date', description: 'Day when CISA added the CVE' })
  added!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Day until which CISA requires a remedy; null if the imported list does not contain it',
  })
  due!: string | null;
  @ApiProperty({ description: 'true: the CVE is known to be used in ransomware campaigns' })
  ransomware!: boolean;
}

/** An SSVC decision by the tree of CISA, with its inputs. */
export class SsvcDto {
  @ApiProperty({
    enum: posture2.SSVC_DECISIONS,
    description:
      'Act: remediate as soon as possible. Attend: sooner than standard update times. Track*: monitor closely and ' +
      'remediate within standard update times. Track: remediate within standard update times',
  })
  decision!: posture2.SsvcDecision;
  @ApiProperty({
    enum: ['none', 'poc', 'active'],
    description:
      'active: in the KEV catalogue, or stated by the vector. poc: public exploit code, stated by the vector or assumed ' +
      'from an EPSS probability of at least 0.1',
  })
  exploitation!: posture2.SsvcInputs['exploitation'];
  @ApiProperty({ description: 'true: attacks from the internet can be automated' })
  automatable!: boolean;
  @ApiProperty({ enum: ['partial', 'total'] })
  technicalImpact!: posture2.SsvcInputs['technicalImpact'];
  @ApiProperty({
    enum: ['low', 'medium', 'high'],
    description: 'From the criticality of the asset and its requirements',
  })
  missionImpact!: posture2.SsvcInputs['mission'];
  @ApiProperty({
    example: 'CVE-2021-44228',
    description: 'The CVE of the finding with the most urgent decision',
  })
  cve!: string;
}

/** A finding with all its fields. */
export class FindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ format: 'uuid' })
  assetId!: string;
  @ApiProperty()
  assetName!: string;
  @ApiProperty({ enum: FINDING_TYPES })
  type!: FindingType;
  @ApiProperty({
    type: String,
    nullable: true,
    description: "The sender's own category of the finding, if it reports one",
  })
  subtype!: string | null;
  @ApiProperty()
  name!: string;
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Technical details' })
  technical!: string | null;
  @ApiProperty({ type: String, nullable: true })
  businessImpact!: string | null;
  @ApiProperty({ enum: FINDING_STATES })
  state!: FindingState;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['expired', 'replaced', 'retention', 'revoked', 'assetDeleted'],
  })
  retiredReason!: string | null;
  @ApiProperty({ type: SeverityDto })
  severity!: SeverityDto;
  @ApiProperty({ type: [String] })
  cves!: string[];
  @ApiProperty({ type: [String] })
  techniques!: string[];
  @ApiProperty({ type: FindingMappingsDto })
  mappings!: FindingMappingsDto;
  @ApiProperty({
    description: 'true if it is included in scoring, by the catalogues in effect now or at `asOf`',
  })
  counted!: boolean;
  @ApiProperty({ type: String, nullable: true })
  notCountedBecause!: string | null;
  @ApiProperty({
    type: SsvcDto,
    nullable: true,
    description:
      'What SSVC advises. null if the finding is not included in scoring or has no valid CVE, and until the scorer has ' +
      'processed a change',
  })
  ssvc!: SsvcDto | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description:
      'Greatest EPSS probability of the valid CVEs of its failing instances, or of all instances if none fails; null if ' +
      'none has a forecast',
  })
  epss!: number | null;
  @ApiProperty({
    type: KevEntryDto,
    nullable: true,
    description:
      "Entry of CISA's Known Exploited Vulnerabilities catalogue for the CVEs of `epss`. Of several, " +
      'that of one that ransomware uses, then that of the earliest `due`. null if the catalogue lists none',
  })
  kev!: KevEntryDto | null;
  @ApiProperty({
    type: [InstanceDto],
    maxItems: INSTANCES_SHOWN_MAX,
    description: `By key. If there are more than ${INSTANCES_SHOWN_MAX}, only ${INSTANCES_SHOWN_MAX} are returned, and instances that fail and count come first; \`/instances\` lists all`,
  })
  instances!: InstanceDto[];
  @ApiProperty({ description: 'Number of all instances' })
  instanceCount!: number;
  @ApiProperty({ type: RemediationDto, nullable: true })
  remediation!: RemediationDto | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the source tool' })
  source!: string | null;
  @ApiProperty({ type: String, nullable: true })
  controlType!: string | null;
  @ApiProperty({ format: 'date-time' })
  firstSeen!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Beginning of the last failing period: `firstSeen` of a finding that was Failed when it was created, otherwise when it ' +
      'became Failed. Not Assessed and Accepted Failed do not end a period. null: none, or not stored yet (`firstSeen` applies)',
  })
  failedSince!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'End of the last failing period: when the finding became Qualified or Retired',
  })
  settledAt!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  lastSeen!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  expiresAt!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Evidence of `instances`, one a line' })
  observation!: string | null;
  @ApiProperty({ type: AcceptanceDto, nullable: true })
  accepted!: AcceptanceDto | null;
  @ApiProperty({ type: HoldDto, nullable: true })
  heldFailed!: HoldDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time since which the next report of its source is overdue',
  })
  overdueSince!: string | null;
  @ApiProperty({
    type: AssigneeDto,
    nullable: true,
    description:
      'User or team that is responsible: the one that a user has assigned, otherwise the owner of the asset by the owner ' +
      'rules (GET /api/v3/owner-rules)',
  })
  assignee!: AssigneeDto | null;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['user', 'rule'],
    description: 'Where `assignee` comes from',
  })
  assigneeBy!: AssigneeBy | null;
  @ApiProperty({ type: [String], description: 'Tags of users, sorted', example: ['internet-facing'] })
  tags!: string[];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Until when the finding is to be remedied: the date that a user has set, otherwise that of the setting `sla`, which ' +
      'only Failed and Not Assessed findings have',
  })
  due!: string | null;
  @ApiProperty({ type: String, nullable: true, enum: ['user', 'sla'], description: 'Where `due` comes from' })
  dueBy!: DueDate['by'] | null;
  @ApiProperty({ type: String, nullable: true })
  dueReason!: string | null;
  @ApiProperty({ description: 'true: Failed or Not Assessed after its due date' })
  overdue!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: SLA_STATES,
    description:
      'As the filter `sla`. null if the finding has no due date or is Accepted Failed or Retired. A Qualified finding is ' +
      'measured by its severity, because it has no SSVC decision',
  })
  sla!: SlaState | null;
  @ApiProperty({ type: [TicketDto], description: 'Tickets of other systems, sorted by address' })
  tickets!: TicketDto[];
  @ApiProperty({ description: 'Number of comments' })
  comments!: number;
  @ApiProperty()
  version!: number;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** A finding in a list: without the long fields. */
export class FindingItemDto extends OmitType(FindingDto, [
  'instances',
  'description',
  'technical',
  'businessImpact',
  'mappings',
  'remediation',
  'observation',
]) {}

export class InstancePageDto extends pageOf(InstanceDto) {}

export class FindingPageDto extends pageOf(FindingItemDto) {}

export class HistoryCauseDto {
  @ApiProperty({ format: 'uuid', description: 'Id of the event in the log' })
  eventId!: string;
  @ApiProperty({ enum: ['json', 'zip', 'inbox', 'sync', 'user', 'system'] })
  kind!: string;
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  uploadId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the ZIP entry' })
  entry!: string | null;
  @ApiProperty({ type: String, nullable: true })
  syncId!: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Integration of the sync' })
  integrationId!: string | null;
  @ApiProperty({ type: String, nullable: true })
  user!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'X-Request-Id of the HTTP request, as in the access log',
  })
  requestId!: string | null;
}

const CHANGED = `
State and user input first, then content, then instances. Texts are truncated to ${ABRIDGED.text} characters, lists to
${ABRIDGED.list} items. Both sides of a longer text start shortly before the first difference, and both sides of a longer
list at the first difference: "… 60 before" and "… 30 more" count the other items. An item has at most
${ABRIDGED.instances} instances and ${ABRIDGED.total / 1024} KB. \`changesLeftOut\` counts the omitted changes. At creation,
the list contains all initial values. It is empty if the change affected no field shown here.
`;

const CHANGED_SIDE: ApiPropertyOptions = {
  anyOf: [
    { type: 'string', nullable: true },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
  description:
    'Value of the field; null if there is no value or no such instance. If the instance exists before and after ' +
    'the change, only the fields that differ',
};

/** The effect of one change of a finding on a field or an instance. */
export class FieldChangeDto {
  @ApiProperty({
    example: 'severity',
    description: 'Name of the field of the finding; `instances` for an instance',
  })
  field!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Key of the instance; null for other fields' })
  key!: string | null;
  @ApiProperty(CHANGED_SIDE)
  before!: unknown;
  @ApiProperty(CHANGED_SIDE)
  after!: unknown;
}

export class LogPositionDto {
  @ApiProperty({ example: 'posture.intake' })
  topic!: string;
  @ApiProperty({ type: 'integer', description: 'Partition of the topic' })
  partition!: number;
  @ApiProperty({ type: 'integer', description: 'Offset in the partition' })
  offset!: number;
}

/** Names of the changes of a finding. */
export const FINDING_CHANGES = [
  'created',
  'updated',
  'stateChanged',
  'retired',
  'returned',
  'accepted',
  'reverted',
  'assigned',
  'tagged',
  'dueSet',
  'ticketsChanged',
  'commented',
  'erased',
];

/** Why a state moved, if no signal stated it. */
export const CHANGE_REASONS = [
  'expired',
  'replaced',
  'retention',
  'revoked',
  'assetDeleted',
  'acceptanceEnded',
  'acceptanceOverridden',
  'clockCorrected',
  'user',
];

/** One change of a finding, with its cause down to the log position. */
export class HistoryItemDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({ enum: FINDING_CHANGES })
  change!: string;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES, description: 'null at creation' })
  from!: string | null;
  @ApiProperty({ enum: FINDING_STATES })
  to!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: CHANGE_REASONS,
    description: 'null if a signal caused the change',
  })
  reason!: string | null;
  @ApiProperty({ description: 'Version of the finding after the change. Each change increments it, from 1' })
  version!: number;
  @ApiProperty({ type: [FieldChangeDto], description: CHANGED.trim().replaceAll('\n', ' ') })
  changes!: FieldChangeDto[];
  @ApiProperty({ description: 'Number of changes omitted from the list' })
  changesLeftOut!: number;
  @ApiProperty({ type: HistoryCauseDto })
  cause!: HistoryCauseDto;
  @ApiProperty({ type: LogPositionDto })
  position!: LogPositionDto;
}

export class RemovedHistoryDto {
  @ApiProperty({ minimum: 1, description: 'Number of changes of this finding' })
  changes!: number;
  @ApiProperty({ format: 'date-time', description: 'Changes from this time on are complete' })
  before!: string;
}

export class HistoryPageDto extends pageOf(HistoryItemDto) {
  @ApiProperty({
    type: RemovedHistoryDto,
    nullable: true,
    description:
      'Earlier changes that were removed under the retention of the history (`historyRetentionDays`); null if there are none, or on later pages',
  })
  removed!: RemovedHistoryDto | null;
}
