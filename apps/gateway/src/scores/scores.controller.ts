import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AsOfPageQuery, AsOfQuery } from '../paging/as-of.ts';
import type { Page } from '../paging/page.ts';
import { AssetRanking } from './asset-ranking.service.ts';
import { ScoreHistoryDto, ScoreHistoryQuery } from './score-history.dto.ts';
import { ScoreHistory } from './score-history.service.ts';
import {
  AssetScoreItemDto,
  AssetScoreItemPageDto,
  AssetScoresQuery,
  GroupScoreDto,
  GroupScorePageDto,
  OrganizationScoreDto,
} from './scores.dto.ts';
import { Scores } from './scores.service.ts';

const ORDER = 'Those with the greatest score first, those without one last, then by name.';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
export class ScoresController {
  constructor(
    private readonly scores: Scores,
    private readonly ranking: AssetRanking,
    private readonly history: ScoreHistory,
  ) {}

  @Get('organization')
  @ApiOperation({ summary: 'The risk score of the organization (docs/scoring.md)' })
  @ApiOkResponse({ type: OrganizationScoreDto })
  organization(@Query() query: AsOfQuery): Promise<OrganizationScoreDto> {
    return this.scores.organization(query);
  }

  @Get('organization/history')
  @ApiOperation({
    summary: 'The score of the organization, or of one group, over time',
    description:
      'From `from` on a point each `step` up to `to`, without them one of each of the last 30 days. A point has the ' +
      'assets that were in the group then, with the scores that they had then.',
  })
  @ApiOkResponse({ type: ScoreHistoryDto })
  organizationHistory(@Query() query: ScoreHistoryQuery): Promise<ScoreHistoryDto> {
    return this.history.organization(query);
  }

  @Get('departments')
  @ApiOperation({ summary: 'Scores of departments', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  departments(@Query() query: AsOfPageQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('department', query);
  }

  @Get('locations')
  @ApiOperation({ summary: 'Scores of locations', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  locations(@Query() query: AsOfPageQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('location', query);
  }

  @Get('asset-types')
  @ApiOperation({ summary: 'Scores of asset types', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  assetTypes(@Query() query: AsOfPageQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('type', query);
  }

  @Get('attack-surfaces')
  @ApiOperation({ summary: 'Scores of attack surfaces', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  attackSurfaces(@Query() query: AsOfPageQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('attackSurface', query);
  }

  @Get('assets')
  @ApiOperation({
    summary: 'Live assets by score',
    description:
      'Those with the greatest score first, those without one last, then in the order in which they were first seen.',
  })
  @ApiOkResponse({ type: AssetScoreItemPageDto })
  assets(@Query() query: AssetScoresQuery): Promise<Page<AssetScoreItemDto>> {
    return this.ranking.list(query);
  }
}
