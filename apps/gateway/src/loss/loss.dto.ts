import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { FixDto } from '../scores/fixes.dto.ts';
import { ScoreHistoryQuery } from '../scores/score-history.dto.ts';
import { IntervalDto } from '../scores/scores.dto.ts';

const FIXES_MAX = 10;
const FIXES = 5;

/** The subject: the organization without a group. */
export class LossQuery extends PickType(ScoreHistoryQuery, [
  'department',
  'location',
  'type',
  'attackSurface',
] as const) {}

export class LossFixesQuery extends LossQuery {
  @ApiPropertyOptional({
    minimum: 1,
    maximum: FIXES_MAX,
    default: FIXES,
    description: 'Maximum number of findings, and of CVEs',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(FIXES_MAX)
  limit: number = FIXES;
}

/**
 * Why there are no amounts. `noRanges`: the setting `loss` is empty. `otherModel`: the setting `scoringModel` is
 * not posture-2. `beingScored`: many scores are being computed again, after an import, a replay or a change of the model.
 */
const LOSS_REASONS = ['noRanges', 'otherModel', 'beingScored'] as const;
export type LossReason = (typeof LOSS_REASONS)[number];

const amounts = (description: string) => ({
  type: IntervalDto,
  description: `${description}, in units of the currency with two decimals, for low, best and high hazards`,
});

class LossBasisDto {
  @ApiProperty({
    enum: LOSS_REASONS,
    nullable: true,
    type: String,
    description:
      'Why there are no amounts; null if there are. `noRanges`: the setting `loss` is empty. `otherModel`: ' +
      'the setting `scoringModel` is not posture-2. `beingScored`: many scores are being computed again, after an ' +
      'import, a replay or a change of the model. Retry later',
  })
  reason!: LossReason | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'EUR',
    description: 'ISO 4217 code; null if none is set',
  })
  currency!: string | null;
  @ApiProperty({
    example: 'department:Finance',
    description: '`organization`, or the kind and the name of the group. Part of the seed',
  })
  scope!: string;
  @ApiProperty({
    example: '0:1523,1:99',
    description:
      'Log offset of the last change of an asset or a finding that is included in the scores, for each partition. Part ' +
      'of the seed: the same state gives the same amounts, also after a replay. For a caller that is limited to departments ' +
      'or locations, a digest of the assets that it sees; empty if there is a `reason`',
  })
  position!: string;
}

class LossPointDto {
  @ApiProperty({ minimum: 0, maximum: 1 })
  probability!: number;
  @ApiProperty(amounts('Loss of a year that is exceeded with this probability'))
  loss!: IntervalDto;
}

/** Simulated losses of a year (docs/scoring.md "Loss"). */
export class LossFiguresDto {
  @ApiProperty(amounts('Mean loss of a year'))
  annualLossExpectancy!: IntervalDto;
  @ApiProperty(amounts('Standard error of the mean, by the simulation alone'))
  standardError!: IntervalDto;
  @ApiProperty({ type: IntervalDto, description: 'Probability of a loss within a year, 0 to 1' })
  lossProbability!: IntervalDto;
  @ApiProperty({ type: [LossPointDto], description: 'Loss-exceedance curve, by decreasing probability' })
  exceedance!: LossPointDto[];
  @ApiProperty({ type: IntervalDto, description: 'Number of simulated years, 100 to 10,000' })
  years!: IntervalDto;
  @ApiProperty({ type: 'integer', description: 'Number of assets with a weakness or a detection' })
  assets!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of these assets without a loss range: they have no loss',
  })
  assetsWithoutRange!: number;
}

/** The loss of a year for the organization or a group. */
export class LossDto extends LossBasisDto {
  @ApiProperty({ type: LossFiguresDto, nullable: true, description: 'null if there is a `reason`' })
  loss!: LossFiguresDto | null;
}

/** A fix with the loss that it avoids. */
export class LossFixDto extends PickType(FixDto, ['kind', 'id', 'assetId', 'assetName', 'name'] as const) {
  @ApiProperty({ type: 'integer', description: 'Number of assets whose hazard changes' })
  assets!: number;
  @ApiProperty({
    minimum: 0,
    description:
      'Mean loss of a year that this fix alone avoids, for the best hazards; 0 if it is below two standard errors',
  })
  avoidedLoss!: number;
  @ApiProperty({ minimum: 0, description: 'Standard error of the avoided loss, by the simulation alone' })
  standardError!: number;
}

/** The fixes of an organization or a group that avoid most loss. */
export class LossFixesDto extends LossBasisDto {
  @ApiProperty({
    type: [LossFixDto],
    nullable: true,
    description: 'Findings and CVEs by decreasing avoided loss; null if there is a `reason`',
  })
  fixes!: LossFixDto[] | null;
}
