import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../auth/scopes.ts';
import { BestFixesDto, FixesQuery } from './fixes.dto.ts';
import { Fixes } from './fixes.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
@RequiresScope('scores:read')
export class FixesController {
  constructor(private readonly fixes: Fixes) {}

  @Get('fixes')
  @ApiOperation({
    summary: 'Returns the fixes that reduce the risk of an asset, a group or the organization most',
    description:
      'A fix is a single finding, or a CVE on all assets. Each fix is evaluated separately. The request reads all assets ' +
      'with a score above 0. At most two such requests run at a time.',
  })
  @ApiOkResponse({ type: BestFixesDto })
  @ApiNotFoundResponse({ description: 'The asset does not exist or is deleted' })
  best(@Query() query: FixesQuery): Promise<BestFixesDto> {
    return this.fixes.best(query);
  }
}
