import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { AsOfQuery } from '../paging/as-of.ts';
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
  GroupScoresQuery,
  OrganizationScoreDto,
} from './scores.dto.ts';
import { Scores } from './scores.service.ts';

const ORDER = 'Sorted by decreasing score, then by name. Items without a score are last.';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
@RequiresScope('scores:read')
export class ScoresController {
  constructor(
    private readonly scores: Scores,
    private readonly ranking: AssetRanking,
    private readonly history: ScoreHistory,
  ) {}

  @Get('organization')
  @ApiOperation({ summary: 'Returns the risk score of the organization (docs/scoring.md)' })
  @ApiOkResponse({ type: OrganizationScoreDto })
  organization(@Query() query: AsOfQuery): Promise<OrganizationScoreDto> {
    return this.scores.organization(query);
  }

  @Get('organization/history')
  @ApiOperation({
    summary: 'Returns the score of the organization or of one group over time',
    description:
      'Returns one point per `step` from `from` to `to`; by default one point per day for the last 30 days. A point ' +
      'includes the assets in the group at that time, with their scores at that time.',
  })
  @ApiOkResponse({ type: ScoreHistoryDto })
  organizationHistory(@Query() query: ScoreHistoryQuery): Promise<ScoreHistoryDto> {
    return this.history.organization(query);
  }

  @Get('departments')
  @ApiOperation({ summary: 'Lists the scores of departments', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  departments(@Query() query: GroupScoresQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('department', query);
  }

  @Get('locations')
  @ApiOperation({ summary: 'Lists the scores of locations', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  locations(@Query() query: GroupScoresQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('location', query);
  }

  @Get('asset-types')
  @ApiOperation({ summary: 'Lists the scores of asset types', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  assetTypes(@Query() query: GroupScoresQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('type', query);
  }

  @Get('attack-surfaces')
  @ApiOperation({ summary: 'Lists the scores of attack surfaces', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  attackSurfaces(@Query() query: GroupScoresQuery): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('attackSurface', query);
  }

  @Get('assets')
  @ApiOperation({
    summary: 'Lists live assets by score',
    description: 'Sorted by decreasing score, then by first occurrence. Assets without a score are last.',
  })
  @ApiOkResponse({ type: AssetScoreItemPageDto })
  assets(@Query() query: AssetScoresQuery): Promise<Page<AssetScoreItemDto>> {
    return this.ranking.list(query);
  }
}
