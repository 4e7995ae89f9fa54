import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import { IsText } from '../paging/is-text.ts';
import { pageOf } from '../paging/page.ts';
import { SEARCH_CHARACTERS_MAX, SEARCH_RULES } from '../paging/search-query.ts';
import { IsSort } from '../paging/sort.ts';
import { PAST_SORT_BOUND } from '../paging/sorted-past.ts';
import { ASSET_SORTS } from './asset-sorts.ts';

const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;

const lowerCased = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toLowerCase() : value;

/**
 * Filters of assets, beside paging (api.md: assets), and beside them any number of `customField.<name>=<option>`; each
 * that is given must hold.
 */
export class AssetFilterQuery {
  @IsText({ lengthMax: 1024, description: 'Beginning of the name, in any case' })
  name?: string;

  @IsText({ lengthMax: 1000, description: 'Asset type' })
  type?: string;

  @IsText({ lengthMax: 1000 })
  attackSurface?: string;

  @IsText({ lengthMax: 1000 })
  department?: string;

  @IsText({ lengthMax: 1000 })
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
    description: '`true`: assets that have a score; `false`: those whose score is null',
  })
  @MayBeLeftOut()
  @IsIn(['true', 'false'])
  scored?: 'true' | 'false';

  @IsText({
    lengthMax: SEARCH_CHARACTERS_MAX,
    example: 'web01',
    description: `Search in names, aliases, host name, FQDN, IP addresses and tags. ${SEARCH_RULES}`,
  })
  q?: string;
}

const SORT =
  'Without it in the order in which they were first seen, partition by partition, which never changes. `-` sorts the ' +
  'greatest first, none being the least criticality and the least score. Names are sorted in any case, by code points of their first 600 ' +
  `characters. ${PAST_SORT_BOUND} assets`;

/** What the list of assets takes. */
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
    description: 'Failing instances: one control can have several (spec §EDR-platform, point 5)',
  })
  findings!: number;
}

const tagsSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
} as const;

/** An asset (api.md: assets). */
export class AssetDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ enum: ['machine', 'user'] })
  entityType!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ type: [String], description: 'Every name that it was called' })
  aliases!: string[];
  @ApiProperty({ type: String, nullable: true })
  hostname!: string | null;
  @ApiProperty({ type: String, nullable: true })
  fqdn!: string | null;
  @ApiProperty({ type: [String] })
  ipAddresses!: string[];
  @ApiProperty({ type: [String] })
  macAddresses!: string[];
  @ApiProperty({ type: String, nullable: true, description: 'Operating system as its source names it' })
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
  @ApiProperty({ type: [String], description: 'Names of the tools that reported it' })
  sources!: string[];
  @ApiProperty({ format: 'date-time' })
  firstSeen!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null only under `asOf`, where a later signal has moved it',
  })
  lastSeen!: string | null;
  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  deletedAt!: string | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 100,
    description:
      'Risk score with two decimals (docs/scoring.md); null, never 0, where no active finding carries a valid CVE or ' +
      'TTP (D22), and where none was computed yet',
  })
  score!: number | null;
  @ApiProperty({ type: FindingCountsDto, description: 'Active findings by state' })
  findings!: FindingCountsDto;
  @ApiProperty({
    type: EdrCountsDto,
    nullable: true,
    description: 'null where the asset type does not support EDR',
  })
  edr!: EdrCountsDto | null;
}

export class AssetPageDto extends pageOf(AssetDto) {}
