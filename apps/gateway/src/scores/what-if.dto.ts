import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsUUID, Matches } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { type IntervalDto, interval, LikelihoodDto } from './scores.dto.ts';

const FINDINGS_MAX = 1_000;
const CVES_MAX = 100;
/** Assets that are returned individually. */
export const LISTED_MAX = 100;

const each = (change: (text: string) => string) =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? change(one) : one)) : value,
  );

const AreFindingIds = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: FINDINGS_MAX, description }),
    MayBeLeftOut(),
    IsArray(),
    ArrayMaxSize(FINDINGS_MAX),
    each((id) => id.toLowerCase()),
    IsUUID(undefined, { each: true }),
  );

/** The assumed fixes; at least one finding or CVE. Only Failed findings change. */
export class WhatIfDto {
  @AreFindingIds('Ids of findings to treat as fixed (Qualified)')
  fixed?: string[];

  @AreFindingIds('Ids of findings to treat as accepted. A finding in both lists is treated as fixed')
  accepted?: string[];

  @ApiPropertyOptional({
    type: [String],
    maxItems: CVES_MAX,
    example: ['CVE-2021-44228'],
    description: 'CVEs to treat as fixed on all assets. A finding with other CVEs keeps those',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(CVES_MAX)
  @each((cve) => cve.toUpperCase())
  @Matches(/^CVE-\d{4}-\d{4,}$/, {
    each: true,
    message: 'each value in fixedCves must be a CVE id such as CVE-2021-44228',
  })
  fixedCves?: string[];
}

const score = { type: Number, nullable: true, minimum: 0, maximum: 100 };
const likelihood = { type: Number, nullable: true, minimum: 0, maximum: 1 };

/** The organization as it is, and as it would be; null if nothing is scored. */
export class OrganizationIfDto {
  @ApiProperty(score)
  score!: number | null;
  @ApiProperty(score)
  scoreAfter!: number | null;
  @ApiProperty(likelihood)
  breachLikelihood!: number | null;
  @ApiProperty(likelihood)
  breachLikelihoodAfter!: number | null;
  @ApiPropertyOptional({ ...interval('Likelihood of a compromise within 30 days'), type: LikelihoodDto })
  likelihood?: LikelihoodDto | null;
  @ApiPropertyOptional({ ...interval('Likelihood of a compromise within 30 days'), type: LikelihoodDto })
  likelihoodAfter?: LikelihoodDto | null;
  @ApiPropertyOptional(interval('Number of assets that are compromised within 30 days, on average'))
  expectedCompromised?: IntervalDto | null;
  @ApiPropertyOptional(interval('Number of assets that are compromised within 30 days, on average'))
  expectedCompromisedAfter?: IntervalDto | null;
}

/** An asset as it is, and as it would be; null if nothing on it counts. */
export class AssetIfDto {
  @ApiProperty({ format: 'uuid' })
  assetId!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty(score)
  score!: number | null;
  @ApiProperty(score)
  scoreAfter!: number | null;
}

/** Scores as they would be (docs/scoring.md "What if, and the best fixes"). */
export class WhatIfOutcomeDto {
  @ApiProperty({ type: OrganizationIfDto })
  organization!: OrganizationIfDto;
  @ApiProperty({
    type: [AssetIfDto],
    description: `Live assets of the given findings and CVEs, up to ${LISTED_MAX}, by decreasing reduction of the score`,
  })
  assets!: AssetIfDto[];
  @ApiProperty({ type: 'integer', description: 'Number of further such assets' })
  otherAssets!: number;
  @ApiProperty({ format: 'date-time', description: 'Time of the computation' })
  at!: string;
  @ApiProperty({ example: 'posture-2' })
  model!: string;
}
