import { ApiProperty, PickType } from '@nestjs/swagger';
import { FindingItemDto } from '../findings/finding.dto.ts';
import { ExplanationDto } from '../scores/explain.dto.ts';
import { BestFixesDto } from '../scores/fixes.dto.ts';
import { ModelChangeDto, ScorePointDto } from '../scores/score-history.dto.ts';
import { GroupScoreDto, OrganizationScoreDto } from '../scores/scores.dto.ts';

export const LISTED_MAX = 10;
export const PERIOD_DAYS = 30;

/** The fields of a finding in the report, each of which the history keeps. */
export class ReportedFindingDto extends PickType(FindingItemDto, [
  'id',
  'assetId',
  'assetName',
  'type',
  'name',
  'state',
  'severity',
  'cves',
  'accepted',
  'assignee',
  'due',
] as const) {}

/** Some findings of many. */
export class ReportedFindingsDto {
  @ApiProperty({ type: 'integer', description: 'Number of all matching findings' })
  total!: number;
  @ApiProperty({
    type: [ReportedFindingDto],
    maxItems: LISTED_MAX,
    description: 'The most urgent first',
  })
  findings!: ReportedFindingDto[];
}

/** Scores of groups, the highest first. */
export class ReportedGroupsDto {
  @ApiProperty({ type: [GroupScoreDto], maxItems: LISTED_MAX })
  departments!: GroupScoreDto[];
  @ApiProperty({ type: [GroupScoreDto], maxItems: LISTED_MAX })
  locations!: GroupScoreDto[];
  @ApiProperty({ type: [GroupScoreDto], maxItems: LISTED_MAX })
  assetTypes!: GroupScoreDto[];
  @ApiProperty({ type: [GroupScoreDto], maxItems: LISTED_MAX })
  attackSurfaces!: GroupScoreDto[];
}

/** The state of the organization on one page, with what moved it. */
export class BoardReportDto {
  @ApiProperty({
    example: '/api/v3/reports/board?asOf=2026-05-31T12%3A00%3A00.000Z',
    description: 'Path and query that return the same report again',
  })
  request!: string;
  @ApiProperty({ format: 'date-time', description: 'Time of the report: `asOf`, or a second ago' })
  at!: string;
  @ApiProperty({ format: 'date-time', description: `Start of the period: ${PERIOD_DAYS} days before \`at\`` })
  from!: string;
  @ApiProperty({ type: OrganizationScoreDto })
  score!: OrganizationScoreDto;
  @ApiProperty({ type: [ScorePointDto], description: 'The score day by day' })
  trend!: ScorePointDto[];
  @ApiProperty({
    type: [ModelChangeDto],
    description: 'Changes of the model in the period. Scores of two models cannot be compared',
  })
  modelChanges!: ModelChangeDto[];
  @ApiProperty({
    type: ExplanationDto,
    description:
      'What moved the score in the period. Its `from` is later than that of the period if history of the period was ' +
      'removed, or if the model or its incident rates changed more than ten times',
  })
  movers!: ExplanationDto;
  @ApiProperty({ type: BestFixesDto, description: 'The fixes that lower the score most' })
  fixes!: BestFixesDto;
  @ApiProperty({
    description: 'true: the SLA has days by SSVC decision or KEV, which `overdue` does not count',
  })
  slaBySeverityOnly!: boolean;
  @ApiProperty({
    type: ReportedFindingsDto,
    description:
      'Failed or Not Assessed after the date that a user has set, otherwise that of the SLA by severity only: past SSVC ' +
      'decisions are not stored',
  })
  overdue!: ReportedFindingsDto;
  @ApiProperty({
    type: ReportedFindingsDto,
    description: `Acceptances that end within ${PERIOD_DAYS} days after \`at\``,
  })
  endingAcceptances!: ReportedFindingsDto;
  @ApiProperty({ type: ReportedGroupsDto })
  groups!: ReportedGroupsDto;
}
