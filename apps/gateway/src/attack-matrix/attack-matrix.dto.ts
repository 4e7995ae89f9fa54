import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { ATTACK_DOMAINS, type AttackDomain } from '#libs/catalogue';
import { FindingFilterQuery } from '../findings/finding.dto.ts';
import { DECISION_FILTERS } from '../findings/finding-conditions.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { IsAsOf } from '../paging/as-of.ts';

const FORMATS = ['json', 'navigator'] as const;
const SCORES = ['failed', 'detections', 'controls'] as const;
export type MatrixScore = (typeof SCORES)[number];

/** Bound of `others`: unknown techniques are vendors' own ids. */
export const UNKNOWN_TECHNIQUES_MAX = 1000;

/** Which matrix, which findings are counted, and as of when. */
export class AttackMatrixQuery extends OmitType(FindingFilterQuery, [
  'state',
  'technique',
  ...DECISION_FILTERS,
] as const) {
  @ApiPropertyOptional({ enum: ATTACK_DOMAINS, default: 'enterprise' })
  @MayBeLeftOut()
  @IsIn(ATTACK_DOMAINS)
  domain: AttackDomain = 'enterprise';

  @IsAsOf()
  asOf?: number;

  @ApiPropertyOptional({
    enum: FORMATS,
    default: 'json',
    description: '`navigator`: a layer of the ATT&CK Navigator, version 4.5 of the format, as a file',
  })
  @MayBeLeftOut()
  @IsIn(FORMATS)
  format: (typeof FORMATS)[number] = 'json';

  @ApiPropertyOptional({
    enum: SCORES,
    default: 'failed',
    description: 'What the scores of the Navigator layer are: failed findings, detections or failed controls',
  })
  @MayBeLeftOut()
  @IsIn(SCORES)
  score: MatrixScore = 'failed';
}

const count = (description: string) => ({ type: 'integer' as const, minimum: 0, description });

/** Findings that name a technique, by state. */
export class TechniqueFindingsDto {
  @ApiProperty(count('Failed findings'))
  failed!: number;
  @ApiProperty(count('Accepted failed findings'))
  accepted!: number;
  @ApiProperty(count('Qualified findings'))
  qualified!: number;
  @ApiProperty(count('Findings that are not assessed'))
  notAssessed!: number;
}

/** Controls that name a technique: findings of type `ca` or `uba`. */
export class TechniqueControlsDto {
  @ApiProperty(count('Qualified ones'))
  passed!: number;
  @ApiProperty(count('Failed ones. They are also counted in `findings.failed`'))
  failed!: number;
}

/** How many findings name a technique itself, with expiry evaluated at `at`. */
export class TechniqueCountsDto {
  @ApiProperty({ type: TechniqueFindingsDto })
  findings!: TechniqueFindingsDto;
  @ApiProperty(count('Failed findings of type `edr`. They are also counted in `findings.failed`'))
  detections!: number;
  @ApiProperty({ type: TechniqueControlsDto })
  controls!: TechniqueControlsDto;
}

export class MatrixSubtechniqueDto extends TechniqueCountsDto {
  @ApiProperty({ example: 'T1059.001' })
  id!: string;
  @ApiProperty({ example: 'PowerShell' })
  name!: string;
}

export class MatrixTechniqueDto extends TechniqueCountsDto {
  @ApiProperty({ example: 'T1059', description: 'A sub-technique if its technique does not have the tactic' })
  id!: string;
  @ApiProperty({ example: 'Command and Scripting Interpreter' })
  name!: string;
  @ApiProperty({
    type: TechniqueCountsDto,
    description:
      'How many findings name the technique or any of its sub-techniques, each finding once. Sub-techniques are ' +
      'recognized by their ids, so those of other tactics and unknown ones are included',
  })
  withSubtechniques!: TechniqueCountsDto;
  @ApiProperty({ type: [MatrixSubtechniqueDto], description: 'Those that have the tactic, sorted by name' })
  subtechniques!: MatrixSubtechniqueDto[];
}

export class MatrixTacticDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'TA0002',
    description: 'null for a tactic that only imported techniques name',
  })
  id!: string | null;
  @ApiProperty({ example: 'execution', description: 'The name in `tactics` of findings' })
  shortName!: string;
  @ApiProperty({ example: 'Execution' })
  name!: string;
  @ApiProperty({
    type: [MatrixTechniqueDto],
    description: 'Sorted by name. A technique with several tactics occurs in each of them',
  })
  techniques!: MatrixTechniqueDto[];
}

const REASONS = ['unknown', 'revoked', 'deprecated', 'noTactic'] as const;

/** A technique that findings name and the matrix does not show. */
export class OtherTechniqueDto extends TechniqueCountsDto {
  @ApiProperty({ example: 'CST0007' })
  id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null if ATT&CK does not contain the technique' })
  name!: string | null;
  @ApiProperty({
    enum: REASONS,
    description: '`unknown`: ATT&CK does not contain it; it is listed for every domain',
  })
  reason!: (typeof REASONS)[number];
}

export class AttackMatrixDto {
  @ApiProperty({ enum: ATTACK_DOMAINS })
  domain!: AttackDomain;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '18.1',
    description: 'Version of the ATT&CK data; null if data was imported, which does not state its version',
  })
  attackVersion!: string | null;
  @ApiProperty({ format: 'date-time', description: 'Time of the counts: `asOf`, or the current time' })
  at!: string;
  @ApiProperty({ type: [MatrixTacticDto], description: 'In the order of ATT&CK' })
  tactics!: MatrixTacticDto[];
  @ApiProperty({
    type: [OtherTechniqueDto],
    description:
      'Techniques that findings name and the matrix does not show, except those of other domains. Of unknown ' +
      `techniques, the ${UNKNOWN_TECHNIQUES_MAX} with most failed findings`,
  })
  others!: OtherTechniqueDto[];
  @ApiProperty({ description: 'true: `others` does not contain all unknown techniques' })
  othersAreCut!: boolean;
}

export class NavigatorVersionsDto {
  @ApiPropertyOptional({ example: '18', description: 'Omitted if ATT&CK data was imported' })
  attack?: string;
  @ApiProperty({ example: '4.9.0', description: 'The first version of the Navigator that reads the layer' })
  navigator!: string;
  @ApiProperty({ example: '4.5' })
  layer!: string;
}

export class NavigatorTechniqueDto {
  @ApiProperty({ example: 'T1059.001' })
  techniqueID!: string;
  @ApiPropertyOptional({
    minimum: 1,
    description: 'Omitted instead of 0, so that the technique has no color',
  })
  score?: number;
  @ApiProperty({ description: 'All counts in words' })
  comment!: string;
  @ApiPropertyOptional({ description: 'Only of techniques' })
  showSubtechniques?: boolean;
}

export class NavigatorGradientDto {
  @ApiProperty({ type: [String], example: ['#ffffff', '#e5484d'] })
  colors!: string[];
  @ApiProperty()
  minValue!: number;
  @ApiProperty()
  maxValue!: number;
}

export class NavigatorMetadataDto {
  @ApiProperty()
  name!: string;
  @ApiProperty()
  value!: string;
}

export class NavigatorLayoutDto {
  @ApiProperty({ example: 'side' })
  layout!: string;
  @ApiProperty()
  showID!: boolean;
  @ApiProperty()
  showName!: boolean;
  @ApiProperty()
  showAggregateScores!: boolean;
  @ApiProperty()
  countUnscored!: boolean;
  @ApiProperty({ example: 'sum' })
  aggregateFunction!: string;
  @ApiProperty({ example: 'annotated' })
  expandedSubtechniques!: string;
}

/** A layer of MITRE's ATT&CK Navigator, format version 4.5. Only techniques that findings name are annotated. */
export class NavigatorLayerDto {
  @ApiProperty({ example: 'Risk Posture: failed findings' })
  name!: string;
  @ApiProperty({ type: NavigatorVersionsDto })
  versions!: NavigatorVersionsDto;
  @ApiProperty({ enum: ATTACK_DOMAINS.map((domain) => `${domain}-attack`) })
  domain!: `${AttackDomain}-attack`;
  @ApiProperty()
  description!: string;
  @ApiProperty({ description: '3: techniques with the highest score first' })
  sorting!: number;
  @ApiProperty({ type: NavigatorLayoutDto })
  layout!: NavigatorLayoutDto;
  @ApiProperty()
  hideDisabled!: boolean;
  @ApiProperty({ type: [NavigatorTechniqueDto] })
  techniques!: NavigatorTechniqueDto[];
  @ApiProperty({ type: NavigatorGradientDto })
  gradient!: NavigatorGradientDto;
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0 })
  legendItems!: never[];
  @ApiProperty({ type: [NavigatorMetadataDto] })
  metadata!: NavigatorMetadataDto[];
}
