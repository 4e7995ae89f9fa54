import { ApiProperty, PickType } from '@nestjs/swagger';
import { FindingItemDto } from '../findings/finding.dto.ts';
import { ExplanationDto } from '../scores/explain.dto.ts';
import { BestFixesDto } from '../scores/fixes.dto.ts';
import { ScorePointDto } from '../scores/score-history.dto.ts';
import { GroupScoreDto, OrganizationScoreDto } from '../scores/scores.dto.ts';

export const LISTED_MAX = 10;
export const PERIOD_DAYS = 30;

/** What is known of a finding as of every instant: later signals replace other fields. */
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
    description: 'By urgency; as of an instant, by asset',
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
  @ApiProperty({ format: 'date-time', description: 'Time of the report: `asOf`, or now' })
  at!: string;
  @ApiProperty({ format: 'date-time', description: `Start of the period: ${PERIOD_DAYS} days before \`at\`` })
  from!: string;
  @ApiProperty({ type: OrganizationScoreDto })
  score!: OrganizationScoreDto;
  @ApiProperty({ type: [ScorePointDto], description: 'The score day by day' })
  trend!: ScorePointDto[];
  @ApiProperty({ type: ExplanationDto, description: 'What moved the score in the period' })
  movers!: ExplanationDto;
  @ApiProperty({
    type: BestFixesDto,
    nullable: true,
    description:
      'The fixes that lower the score most. null as of an instant: only present fixes can be computed',
  })
  fixes!: BestFixesDto | null;
  @ApiProperty({ type: ReportedFindingsDto, description: 'Failed or Not Assessed after their due date' })
  overdue!: ReportedFindingsDto;
  @ApiProperty({
    type: ReportedFindingsDto,
    description: `Acceptances that end within ${PERIOD_DAYS} days after \`at\``,
  })
  endingAcceptances!: ReportedFindingsDto;
  @ApiProperty({ type: ReportedGroupsDto })
  groups!: ReportedGroupsDto;
}
