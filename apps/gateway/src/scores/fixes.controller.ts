import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BestFixesDto, FixesQuery } from './fixes.dto.ts';
import { Fixes } from './fixes.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
export class FixesController {
  constructor(private readonly fixes: Fixes) {}

  @Get('fixes')
  @ApiOperation({
    summary: 'The fixes that lower the risk of an asset, a group or the organization most',
    description:
      'Single findings, and CVEs wherever they are; each is taken alone. All assets with a score above 0 are gone ' +
      'through; two such questions at a time.',
  })
  @ApiOkResponse({ type: BestFixesDto })
  @ApiNotFoundResponse({ description: 'no such asset, or a deleted one' })
  best(@Query() query: FixesQuery): Promise<BestFixesDto> {
    return this.fixes.best(query);
  }
}
