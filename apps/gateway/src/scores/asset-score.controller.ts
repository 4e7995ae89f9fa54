import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AsOfPageQuery, AsOfQuery } from '../paging/as-of.ts';
import type { Page } from '../paging/page.ts';
import { AssetScoreDto } from './asset-score.dto.ts';
import { AssetScores } from './asset-score.service.ts';
import { type ScorePeriodDto, ScorePeriodPageDto } from './score-history.dto.ts';
import { ScoreHistory } from './score-history.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/assets')
export class AssetScoreController {
  constructor(
    private readonly scores: AssetScores,
    private readonly history: ScoreHistory,
  ) {}

  @Get(':id/score')
  @ApiOperation({ summary: 'The risk score of an asset, and what made it (docs/scoring.md)' })
  @ApiOkResponse({ type: AssetScoreDto })
  @ApiNotFoundResponse({ description: 'no such asset, or not yet at `asOf`' })
  score(@Param('id', ParseUUIDPipe) id: string, @Query() query: AsOfQuery): Promise<AssetScoreDto> {
    return this.scores.score(id, query);
  }

  @Get(':id/score/history')
  @ApiOperation({
    summary: 'What the score of an asset was, and from when to when, the newest first',
    description:
      'Nothing while the asset was deleted. With `asOf` what had begun by then; what had not ended by then lasts. ' +
      'Publishers’ catalogues are as they were known at each instant.',
  })
  @ApiOkResponse({ type: ScorePeriodPageDto })
  @ApiNotFoundResponse({ description: 'no such asset' })
  scoreHistory(
    @Param('id', ParseUUIDPipe) id: string,
    @Query() query: AsOfPageQuery,
  ): Promise<Page<ScorePeriodDto>> {
    return this.history.asset(id, query);
  }
}
