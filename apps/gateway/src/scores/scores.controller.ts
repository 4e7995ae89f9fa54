import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
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
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Returns the score of the organization or of one group over time',
    description:
      'Returns one point per `step` from `from` to `to`; by default one point per day for the last 30 days. A point ' +
      'includes the assets in the group at that time, with their scores at that time.',
  })
  @ApiOkResponse({ type: ScoreHistoryDto })
  organizationHistory(
    @Query() query: ScoreHistoryQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<ScoreHistoryDto> {
    return this.history.organization(query, rows);
  }

  @Get('departments')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Lists the scores of departments', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  departments(
    @Query() query: GroupScoresQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('department', query, rows);
  }

  @Get('locations')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Lists the scores of locations', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  locations(@Query() query: GroupScoresQuery, @VisibleRows() rows: RowLimits): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('location', query, rows);
  }

  @Get('asset-types')
  @ApiOperation({ summary: 'Lists the scores of asset types', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  assetTypes(@Query() query: GroupScoresQuery, @VisibleRows() rows: RowLimits): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('type', query, rows);
  }

  @Get('attack-surfaces')
  @ApiOperation({ summary: 'Lists the scores of attack surfaces', description: ORDER })
  @ApiOkResponse({ type: GroupScorePageDto })
  attackSurfaces(
    @Query() query: GroupScoresQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<Page<GroupScoreDto>> {
    return this.scores.groups('attackSurface', query, rows);
  }

  @Get('assets')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Lists live assets by score',
    description: 'Sorted by decreasing score, then by first occurrence. Assets without a score are last.',
  })
  @ApiOkResponse({ type: AssetScoreItemPageDto })
  assets(@Query() query: AssetScoresQuery, @VisibleRows() rows: RowLimits): Promise<Page<AssetScoreItemDto>> {
    return this.ranking.list(query, rows);
  }
}
