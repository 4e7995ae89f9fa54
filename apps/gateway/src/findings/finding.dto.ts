import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  IntersectionType,
  OmitType,
} from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsNumber, IsUUID, Matches, Max, Min } from 'class-validator';
import { FINDING_TYPES, type FindingState, type FindingType } from '#libs/domain';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsText } from '../paging/is-text.ts';
import { IsOneOrMoreOf, type OneOrMore } from '../paging/one-or-more.ts';
import { pageOf } from '../paging/page.ts';
import { SEARCH_CHARACTERS_MAX, SEARCH_RULES } from '../paging/search-query.ts';
import { IsSort } from '../paging/sort.ts';
import { PAST_SORT_BOUND } from '../paging/sorted-past.ts';
import { ABRIDGED } from './abridge-changes.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

export const FINDING_STATES = ['Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed', 'Retired'] as const;

const PAST_SEEN = 'null only under `asOf`, where a later signal has moved it';

const upperCased = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toUpperCase() : value;

/** Filters of findings of whatever asset, beside paging (api.md: findings); each that is given must hold. */
export class FindingFilterQuery {
  @IsOneOrMoreOf(FINDING_TYPES)
  type?: OneOrMore<FindingType>;

  @IsOneOrMoreOf(FINDING_STATES, 'Without it: every state but Retired (D11).')
  state?: OneOrMore<FindingState>;

  @ApiPropertyOptional({ minimum: 0, maximum: 10 })
  @MayBeLeftOut()
  @Type(() => Number)
  @IsNumber()
  @Min(0)
  @Max(10)
  severityMin?: number;

  @ApiPropertyOptional({ example: 'CVE-2021-44228' })
  @MayBeLeftOut()
  @Transform(upperCased)
  @Matches(/^CVE-\d{4}-\d{4,}$/, { message: 'cve must be a CVE id such as CVE-2021-44228' })
  cve?: string;

  @Transform(upperCased)
  @IsText({ lengthMax: 100, example: 'T1059.001' })
  technique?: string;

  @IsText({ lengthMax: 1000, description: 'Name of the source tool' })
  source?: string;

  @IsText({ lengthMax: 1000, description: 'Part of the first 600 characters of the name, in any case' })
  name?: string;

  @IsText({
    lengthMax: SEARCH_CHARACTERS_MAX,
    example: 'log4j remote code',
    description: `Full-text search over name and description. ${SEARCH_RULES}. Descriptions count up to 4,000 characters`,
  })
  q?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @MayBeLeftOut()
  @IsUUID()
  assetId?: string;
}

const SORT =
  'Without it in the order of assets and their findings, which never changes. `-` sorts the greatest first. Names are ' +
  'sorted in any case, by code points of their first 600 characters. ' +
  `${PAST_SORT_BOUND} findings, counted by their \`type\` and \`assetId\` alone`;

/** What the list of findings takes. */
export class FindingsQuery extends IntersectionType(AsOfPageQuery, FindingFilterQuery) {
  @IsSort(Object.keys(FINDING_SORTS), SORT)
  sort?: string;
}

/** What the list of the findings of one asset takes. */
export class AssetFindingsQuery extends OmitType(FindingsQuery, ['assetId'] as const) {}

export class SeverityDto {
  @ApiProperty({ minimum: 0, maximum: 10 })
  value!: number;
  @ApiProperty({ type: String, nullable: true })
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
    description: 'Detection id, port/protocol or a hash; empty for the only one of a singular signal',
  })
  key!: string;
  @ApiProperty({ enum: ['Failed', 'Qualified', 'NotAssessed'] })
  status!: string;
  @ApiProperty({ description: 'false: neither counts nor counts as a pass (D30)' })
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

/** What a publisher estimates of a CVE (D24). */
export class EpssDto {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'That it is exploited in the 30 days after `date`' })
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
    description: 'null: no catalogue has it',
  })
  state!: string | null;
  @ApiProperty({ type: EpssDto, nullable: true })
  epss!: EpssDto | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Day that it came into CISA’s catalogue of Known Exploited Vulnerabilities',
  })
  knownExploitedSince!: string | null;
}

/** A technique as MITRE ATT&CK has it. */
export class MappedTechniqueDto {
  @ApiProperty({ example: 'T1059.001' })
  id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null: ATT&CK has no such technique' })
  name!: string | null;
  @ApiProperty({ type: [String], example: ['execution'] })
  tactics!: string[];
  @ApiProperty({ description: 'Does not count for scoring (D22)' })
  revoked!: boolean;
}

/** `cves` and `techniques` in the words of the catalogues that are in force, or were at `asOf`. */
export class FindingMappingsDto {
  @ApiProperty({ type: [MappedCveDto] })
  cves!: MappedCveDto[];
  @ApiProperty({ type: [MappedTechniqueDto] })
  techniques!: MappedTechniqueDto[];
}

/** A finding with all that is known of it (api.md: findings). */
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
    description: "The sender's own kind of finding, where it names one",
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
    description:
      'Whether it counts for scoring (D22), by the catalogues that are in force, or were at `asOf`',
  })
  counted!: boolean;
  @ApiProperty({ type: String, nullable: true })
  notCountedBecause!: string | null;
  @ApiProperty({ type: [InstanceDto] })
  instances!: InstanceDto[];
  @ApiProperty({ type: RemediationDto, nullable: true })
  remediation!: RemediationDto | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the source tool' })
  source!: string | null;
  @ApiProperty({ type: String, nullable: true })
  controlType!: string | null;
  @ApiProperty({ format: 'date-time' })
  firstSeen!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  lastSeen!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: PAST_SEEN })
  expiresAt!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The evidence of all instances' })
  observation!: string | null;
  @ApiProperty({ type: AcceptanceDto, nullable: true })
  accepted!: AcceptanceDto | null;
  @ApiProperty({ type: HoldDto, nullable: true })
  heldFailed!: HoldDto | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when its source is late (D14)',
  })
  overdueSince!: string | null;
  @ApiProperty()
  version!: number;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** A finding in a list: without the long parts (api.md "Lists"). */
export class FindingItemDto extends OmitType(FindingDto, [
  'instances',
  'description',
  'technical',
  'businessImpact',
  'mappings',
  'remediation',
  'observation',
]) {
  @ApiProperty()
  instanceCount!: number;
}

export class FindingPageDto extends pageOf(FindingItemDto) {}

export class HistoryCauseDto {
  @ApiProperty({ format: 'uuid', description: 'Of the event in the log' })
  eventId!: string;
  @ApiProperty({ enum: ['json', 'zip', 'sync', 'user', 'system'] })
  kind!: string;
  @ApiProperty({ type: String, nullable: true, format: 'uuid' })
  uploadId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the ZIP entry' })
  entry!: string | null;
  @ApiProperty({ type: String, nullable: true })
  syncId!: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Whose sync it was' })
  integrationId!: string | null;
  @ApiProperty({ type: String, nullable: true })
  user!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of the HTTP request, as in the access log' })
  requestId!: string | null;
}

const CHANGED = `
State and the words of users first, then content, then instances. A text is cut at ${ABRIDGED.text} characters, a list
at ${ABRIDGED.list} items; both sides of a longer text begin shortly before they differ. At most ${ABRIDGED.instances}
instances and ${ABRIDGED.total / 1024} KB an item: \`changesLeftOut\` counts the rest. At the creation it is all that the
finding began with. Empty where a change moved nothing that is told here.
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
    'As the finding has it; null: nothing, or no such instance. Of an instance that was there before and after, ' +
    'the fields that differ',
};

/** What one change of a finding did to a field or an instance of it. */
export class FieldChangeDto {
  @ApiProperty({
    example: 'severity',
    description: "As the finding's own field; `instances` for an instance",
  })
  field!: string;
  @ApiProperty({ type: String, nullable: true, description: "An instance's key; null for other fields" })
  key!: string | null;
  @ApiProperty(CHANGED_SIDE)
  before!: unknown;
  @ApiProperty(CHANGED_SIDE)
  after!: unknown;
}

export class LogPositionDto {
  @ApiProperty()
  topic!: string;
  @ApiProperty()
  partition!: number;
  @ApiProperty()
  offset!: number;
}

const CHANGE_REASONS = [
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

/** One change of a finding, with its cause down to the log position (api.md: finding history). */
export class HistoryItemDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;
  @ApiProperty({
    enum: ['created', 'updated', 'stateChanged', 'retired', 'returned', 'accepted', 'reverted'],
  })
  change!: string;
  @ApiProperty({ type: String, nullable: true, enum: FINDING_STATES, description: 'null at creation' })
  from!: string | null;
  @ApiProperty({ enum: FINDING_STATES })
  to!: string;
  @ApiProperty({ type: String, nullable: true, enum: CHANGE_REASONS, description: 'null: a signal said so' })
  reason!: string | null;
  @ApiProperty({ description: 'Of the finding after the change; counts its changes from 1' })
  version!: number;
  @ApiProperty({ type: [FieldChangeDto], description: CHANGED.trim().replaceAll('\n', ' ') })
  changes!: FieldChangeDto[];
  @ApiProperty({ description: 'How many changes are not in the list' })
  changesLeftOut!: number;
  @ApiProperty({ type: HistoryCauseDto })
  cause!: HistoryCauseDto;
  @ApiProperty({ type: LogPositionDto })
  position!: LogPositionDto;
}

export class HistoryPageDto extends pageOf(HistoryItemDto) {}
