import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { AssetDto } from '../assets/asset.dto.ts';
import { RowLimitsDto } from '../auth/row-limits.dto.ts';
import { FindingDto, FindingFilterQuery, InstanceDto } from '../findings/finding.dto.ts';
import { DECISION_FILTERS } from '../findings/finding-conditions.ts';
import { FindingTotalsDto } from '../findings/finding-counts.dto.ts';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { AsOfQuery } from '../paging/as-of.ts';

const FINDINGS_MAX = 200;
const FINDINGS_DEFAULT = 100;
/** Bounds of a finding and of an asset in a report. */
export const REPORTED = {
  addresses: 100,
  instances: 10,
  cves: 100,
  techniques: 100,
  textCharacters: 2_000,
  evidenceCharacters: 1_000,
} as const;

export class TechnicalReportQuery extends IntersectionType(
  AsOfQuery,
  OmitType(FindingFilterQuery, DECISION_FILTERS),
) {
  @ApiPropertyOptional({
    minimum: 1,
    maximum: FINDINGS_MAX,
    default: FINDINGS_DEFAULT,
    description: 'Maximum number of findings; `totals` counts all that match',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(FINDINGS_MAX)
  limit: number = FINDINGS_DEFAULT;
}

const TEXTS = `Texts are cut to ${REPORTED.textCharacters} characters, evidence to ${REPORTED.evidenceCharacters}`;

/** An instance in the report: its tags can be as large as a signal. */
export class ReportedInstanceDto extends OmitType(InstanceDto, ['tags']) {}

/** The fields of a finding in the report, each of which the history keeps. */
export class TechnicalFindingDto extends OmitType(FindingDto, [
  'lastSeen',
  'expiresAt',
  'overdueSince',
  'observation',
  'technical',
  'businessImpact',
  'heldFailed',
  'instances',
]) {
  @ApiProperty({
    type: [ReportedInstanceDto],
    maxItems: REPORTED.instances,
    description: 'Without tags, which `GET /api/v3/findings/{id}` returns',
  })
  instances!: ReportedInstanceDto[];
  @ApiProperty({
    type: 'integer',
    description: `Number of all instances; \`instances\` has the first ${REPORTED.instances}. ${TEXTS}`,
  })
  override instanceCount!: number;
  @ApiProperty({
    type: 'integer',
    description:
      `Number of all CVEs; \`cves\` and \`mappings\` have the first ${REPORTED.cves}: known exploited ones, then the most ` +
      'probably exploited ones',
  })
  cveCount!: number;
  @ApiProperty({
    type: 'integer',
    description: `Number of all techniques; \`techniques\` and \`mappings\` have the first ${REPORTED.techniques}`,
  })
  techniqueCount!: number;
}

/** An asset of the report, as it was at its time. */
export class TechnicalAssetDto extends PickType(AssetDto, [
  'id',
  'name',
  'type',
  'attackSurface',
  'department',
  'location',
  'criticality',
  'fqdn',
  'ipAddresses',
  'os',
  'score',
] as const) {
  @ApiProperty({
    type: 'integer',
    description: `Number of all IP addresses; \`ipAddresses\` has the first ${REPORTED.addresses}`,
  })
  ipAddressCount!: number;
  @ApiProperty({ type: 'integer', description: 'Number of its findings in the report' })
  findings!: number;
}

/** Findings with all that is needed to fix them. */
export class TechnicalReportDto {
  @ApiProperty({
    example: '/api/v3/reports/technical?department=Sales&limit=100&asOf=2026-05-31T12%3A00%3A00.000Z',
    description: 'Path and query that return the same report again',
  })
  request!: string;
  @ApiProperty({ format: 'date-time', description: 'Time of the report: `asOf`, or a second ago' })
  at!: string;
  @ApiProperty({
    type: RowLimitsDto,
    description: 'Limits of the reader: the report is about assets of these departments and locations',
  })
  limits!: RowLimitsDto;
  @ApiProperty({
    description:
      'true: the SLA has days by SSVC decision or KEV, which `sla` and `dueBefore` in `request` do not count. ' +
      'The `due` of a finding counts them',
  })
  slaBySeverityOnly!: boolean;
  @ApiProperty({ type: FindingTotalsDto, description: 'All matching findings' })
  totals!: FindingTotalsDto;
  @ApiProperty({
    type: [TechnicalAssetDto],
    maxItems: FINDINGS_MAX,
    description: 'Assets of `findings`, by name',
  })
  assets!: TechnicalAssetDto[];
  @ApiProperty({
    type: [TechnicalFindingDto],
    maxItems: FINDINGS_MAX,
    description: 'The most severe first',
  })
  findings!: TechnicalFindingDto[];
}
