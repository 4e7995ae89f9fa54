import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { BestFixesDto, FixesQuery } from './fixes.dto.ts';
import { Fixes } from './fixes.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
@RequiresScope('scores:read')
export class FixesController {
  constructor(private readonly fixes: Fixes) {}

  @Get('fixes')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Returns the fixes that reduce the risk of an asset, a group or the organization most',
    description:
      'A fix is a single finding, or a CVE on all assets. Each fix is evaluated separately. The request reads all assets ' +
      'with a score above 0. At most two such requests run at a time. For a caller that is limited to departments or ' +
      'locations, scores and fixes are those of the assets that it sees.',
  })
  @ApiOkResponse({ type: BestFixesDto })
  @ApiNotFoundResponse({ description: 'The asset does not exist or is deleted' })
  best(@Query() query: FixesQuery, @VisibleRows() rows: RowLimits): Promise<BestFixesDto> {
    return this.fixes.best(query, rows);
  }
}
