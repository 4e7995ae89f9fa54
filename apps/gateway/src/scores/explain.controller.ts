import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiGoneResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import { ExplanationDto, GroupMoveQuery, MoveQuery } from './explain.dto.ts';
import { Explanations } from './explain.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3')
@RequiresScope('scores:read')
export class ExplainController {
  constructor(private readonly explanations: Explanations) {}

  @Get('scores/organization/explain')
  @ApiOperation({
    summary: 'Explains the change of the score of the organization or of one group between two times',
    description:
      'Causes are findings, acceptances, controls, ages of detections, catalogue changes, changes of assets, and ' +
      'changes of the scoring model or its incident rates, each with its share. A period contains at most 10 changes ' +
      'of the model or its rates. The service computes the scores of changed assets at both times. At most two such ' +
      'requests run at a time.',
  })
  @ApiOkResponse({ type: ExplanationDto })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  organization(@Query() query: GroupMoveQuery): Promise<ExplanationDto> {
    return this.explanations.group(query);
  }

  @Get('assets/:id/score/explain')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Explains the change of the score of an asset between two times' })
  @ApiOkResponse({ type: ExplanationDto })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  @ApiNotFoundResponse({ description: 'The asset does not exist, or did not exist at `to`' })
  asset(
    @Param('id', UuidPipe) id: string,
    @Query() query: MoveQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<ExplanationDto> {
    return this.explanations.asset(id, query, rows);
  }
}
