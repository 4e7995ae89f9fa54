import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AsOfQuery } from '../paging/as-of.ts';
import { AssetScoreDto } from './asset-score.dto.ts';
import { AssetScores } from './asset-score.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/assets')
export class AssetScoreController {
  constructor(private readonly scores: AssetScores) {}

  @Get(':id/score')
  @ApiOperation({ summary: 'The risk score of an asset, and what made it (docs/scoring.md)' })
  @ApiOkResponse({ type: AssetScoreDto })
  @ApiNotFoundResponse({ description: 'no such asset, or not yet at `asOf`' })
  score(@Param('id', ParseUUIDPipe) id: string, @Query() query: AsOfQuery): Promise<AssetScoreDto> {
    return this.scores.score(id, query);
  }
}
