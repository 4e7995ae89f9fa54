import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { ALL_STATEMENTS_MAX } from '#libs/domain';
import { lowerCased } from '../http/lower-cased.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsText } from '../paging/is-text.ts';
import { pageOf } from '../paging/page.ts';
import { QUERY_TEXT_CHARACTERS_MAX, SEARCH_CHARACTERS_MAX, SEARCH_RULES } from '../paging/search-query.ts';
import { IsSort } from '../paging/sort.ts';
import { PAST_SORT_BOUND } from '../paging/sorted-past.ts';
import { ASSET_SORTS } from './asset-sorts.ts';
import { LEVELS } from './levels.ts';
import { IsNotSeenDays } from './not-seen.ts';

/**
 * Filters of assets, in addition to paging, and any number of `customField.<name>=<option>`; each
 * that is given must hold.
 */
export class AssetFilterQuery {
  @IsText({ lengthMax: 1024, description: 'Prefix of the name, case-insensitive' })
  name?: string;

  @IsText({ lengthMax: 1000, description: 'Asset type' })
  type?: string;

  @IsText({ lengthMax: 1000, description: 'Attack surface' })
  attackSurface?: string;

  @IsText({ lengthMax: 1000, description: 'Department' })
  department?: string;

  @IsText({ lengthMax: 1000, description: 'Location' })
  location?: string;

  @ApiPropertyOptional({ enum: LEVELS })
  @MayBeLeftOut()
  @Transform(lowerCased)
  @IsIn(LEVELS)
  criticality?: string;

  @IsText({ lengthMax: 1000, description: 'Name of a source tool' })
  source?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true`: assets with a score; `false`: assets whose score is null',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  scored?: 'true' | 'false';

  @IsNotSeenDays({
    example: 30,
    description:
      'Assets that no source has reported for this number of days. Not with `asOf`: the past of `lastSeen` is not kept',
  })
  notSeenDays?: number;

  @IsText({
    lengthMax: QUERY_TEXT_CHARACTERS_MAX,
    example: 'web01 type:Server criticality:high',
    description:
      `Words to search for, at most ${SEARCH_CHARACTERS_MAX} characters, and filters as \`key:value\`: each parameter of ` +
      'this query that filters assets, also `customField.NAME:value`. Quote a value or a name with spaces, and a word ' +
      'that looks like a filter. The words are searched for in the first 20,000 characters of aliases, name, host name, ' +
      'FQDN, IP addresses and tags, in this order. ' +
      `${SEARCH_RULES}, unless it has filters`,
  })
  q?: string;
}

const SORT =
  'Default: by partition, then by first occurrence. This order never changes. `-` sorts in descending order. A missing ' +
  'criticality or score is the lowest value. Names are sorted case-insensitively, by code points of their first 600 ' +
  `characters. ${PAST_SORT_BOUND} assets`;

/** The query of the list of assets. */
export class AssetsQuery extends IntersectionType(AsOfPageQuery, AssetFilterQuery) {
  @IsSort(Object.keys(ASSET_SORTS), SORT)
  sort?: string;
}

export class FindingCountsDto {
  @ApiProperty()
  failed!: number;
  @ApiProperty()
  qualified!: number;
  @ApiProperty()
  accepted!: number;
  @ApiProperty()
  notAssessed!: number;
}

export class EdrCountsDto {
  @ApiProperty({ description: 'EDR findings' })
  controls!: number;
  @ApiProperty({
    description: 'Number of failing instances. One control can have several',
  })
  findings!: number;
}

const tagsSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
} as const;

/** Who is responsible for an asset, and its findings that no user has assigned. */
export class OwnerDto {
  @ApiProperty({ enum: ['user', 'team'] })
  type!: 'user' | 'team';
  @ApiProperty({ example: 'payments' })
  name!: string;
  @ApiProperty({ minimum: 1, description: 'Place of the owner rule that matches first' })
  rule!: number;
}

/** An asset. */
export class AssetDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: ['machine', 'user'] })
  entityType!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ type: [String], description: 'All names reported for the asset' })
  aliases!: string[];
  @ApiProperty({ type: String, nullable: true })
  hostname!: string | null;
  @ApiProperty({ type: String, nullable: true })
  fqdn!: string | null;
  @ApiProperty({ type: [String] })
  ipAddresses!: string[];
  @ApiProperty({ type: [String] })
  macAddresses!: string[];
  @ApiProperty({ type: String, nullable: true, description: 'Operating system as reported by the source' })
  os!: string | null;
  @ApiProperty({ description: 'Asset type' })
  type!: string;
  @ApiProperty()
  attackSurface!: string;
  @ApiProperty()
  department!: string;
  @ApiProperty()
  location!: string;
  @ApiProperty({ type: String, nullable: true, enum: LEVELS })
  criticality!: string | null;
  @ApiProperty({ type: String, nullable: true })
  confidentialityRequirement!: string | null;
  @ApiProperty({ type: String, nullable: true })
  integrityRequirement!: string | null;
  @ApiProperty({ type: String, nullable: true })
  availabilityRequirement!: string | null;
  @ApiProperty(tagsSchema)
  tags!: Record<string, string[]>;
  @ApiProperty(tagsSchema)
  customFields!: Record<string, string[]>;
  @ApiProperty({ type: [String], description: 'Names of the source tools that reported the asset' })
  sources!: string[];
  @ApiProperty({
    description:
      'The inventory of an EDR platform contains the asset, as reported by an integration of the type `edrplugin`',
  })
  isEdrManaged!: boolean;
  @ApiProperty({
    type: OwnerDto,
    nullable: true,
    description: 'User or team that is responsible by the owner rules; null if no rule matches',
  })
  owner!: OwnerDto | null;
  @ApiProperty({ format: 'date-time' })
  firstSeen!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'null only with `asOf`, if a later signal has changed the value, or a limited caller does not see the asset now',
  })
  lastSeen!: string | null;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  deletedAt!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time of the erasure of the person: texts are `erased`. null also as of an earlier instant',
  })
  erasedAt!: string | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description:
      'Risk score with two decimals (docs/scoring.md); null, never 0, if no active finding has a valid CVE or TTP, ' +
      'or if no score has been computed yet',
  })
  score!: number | null;
  @ApiProperty({ type: FindingCountsDto, description: 'Active findings by state' })
  findings!: FindingCountsDto;
  @ApiProperty({
    type: EdrCountsDto,
    nullable: true,
    description: 'null if the asset type does not support EDR',
  })
  edr!: EdrCountsDto | null;
}

/** What one source said of an asset. Values that it did not give are omitted. */
export class StatementDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the source. null: the signals named none',
  })
  source!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the device at the platform of the integration. null: the source describes no device',
  })
  deviceId!: string | null;
  @ApiProperty({
    description:
      'The data that the asset had before the service kept what each source said, or before it was deleted',
  })
  isEarlier!: boolean;
  @ApiProperty({ format: 'date-time', description: 'Time at which the source last changed its data' })
  since!: string;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Place of the source in the setting `trustedSources`, from 1. null: not in the list',
  })
  trust!: number | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Values by attribute, named as in the asset. `name` is the name of the device at its platform, `type` and `attackSurface` are the asset type of the operating system',
  })
  values!: Record<string, unknown>;
  @ApiProperty({
    type: [String],
    example: ['os', 'tags.owner'],
    description:
      'Attributes of which the asset shows the value of this source: that of the most trusted source, otherwise the newest. Addresses are those of all sources together; tags and custom fields are named by key',
  })
  shown!: string[];
}

/** An asset with what each source said of it. */
export class AssetDetailDto extends AssetDto {
  @ApiProperty({
    type: [StatementDto],
    maxItems: ALL_STATEMENTS_MAX,
    description: 'Sorted by source and device',
  })
  statements!: StatementDto[];
}

export class AssetPageDto extends pageOf(AssetDto) {}
