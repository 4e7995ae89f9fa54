import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ExplanationDto, GroupMoveQuery, MoveQuery } from './explain.dto.ts';
import { Explanations } from './explain.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3')
export class ExplainController {
  constructor(private readonly explanations: Explanations) {}

  @Get('scores/organization/explain')
  @ApiOperation({
    summary: 'What moved the score of the organization, or of one group, between two instants',
    description:
      'Findings, acceptances, catalogue changes and changes of assets, each with its share. Assets that something ' +
      'happened to are scored at both instants; two such questions at a time.',
  })
  @ApiOkResponse({ type: ExplanationDto })
  organization(@Query() query: GroupMoveQuery): Promise<ExplanationDto> {
    return this.explanations.group(query);
  }

  @Get('assets/:id/score/explain')
  @ApiOperation({ summary: 'What moved the score of an asset between two instants' })
  @ApiOkResponse({ type: ExplanationDto })
  @ApiNotFoundResponse({ description: 'no such asset, or not yet at `to`' })
  asset(@Param('id', ParseUUIDPipe) id: string, @Query() query: MoveQuery): Promise<ExplanationDto> {
    return this.explanations.asset(id, query);
  }
}
