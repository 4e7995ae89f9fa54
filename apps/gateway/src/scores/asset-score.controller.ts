import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { AsOfPageQuery } from '../paging/as-of.ts';
import type { Page } from '../paging/page.ts';
import { AssetScoreDto, AssetScoreQuery } from './asset-score.dto.ts';
import { AssetScores } from './asset-score.service.ts';
import { type ScorePeriodDto, ScorePeriodPageDto } from './score-history.dto.ts';
import { ScoreHistory } from './score-history.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/assets')
@RequiresScope('scores:read')
@AdmitsLimited('rows')
export class AssetScoreController {
  constructor(
    private readonly scores: AssetScores,
    private readonly history: ScoreHistory,
  ) {}

  @Get(':id/score')
  @ApiOperation({
    summary: 'Returns the risk score of an asset and its inputs (docs/scoring.md)',
    description:
      'The contributions are in pages, and each page has the score. Every page is computed from all findings of the ' +
      'asset: use the same `asOf` for all pages to get those of one score.',
  })
  @ApiOkResponse({ type: AssetScoreDto })
  @ApiNotFoundResponse({ description: 'The asset does not exist, or did not exist at `asOf`' })
  score(
    @Param('id', UuidPipe) id: string,
    @Query() query: AssetScoreQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<AssetScoreDto> {
    return this.scores.score(id, query, rows);
  }

  @Get(':id/score/history')
  @ApiOperation({
    summary: 'Lists the past scores of an asset with their periods, newest first',
    description:
      'A deleted asset has no score. With `asOf`, the list contains the periods that had started at that time. A period ' +
      'that had not ended at that time has no end. Each score uses the catalogues known at its time. With posture-2, a change of the ' +
      'hazards begins a period too, so successive periods can have the same score.',
  })
  @ApiOkResponse({ type: ScorePeriodPageDto })
  @ApiNotFoundResponse({ description: 'The asset does not exist' })
  scoreHistory(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfPageQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<Page<ScorePeriodDto>> {
    return this.history.asset(id, query, rows);
  }
}
