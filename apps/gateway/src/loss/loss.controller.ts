import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { LossDto, LossFixesDto, LossFixesQuery, LossQuery } from './loss.dto.ts';
import { Losses } from './loss.service.ts';
import { LossFixes } from './loss-fixes.service.ts';

@ApiTags('loss')
@ApiBearerAuth()
@Controller('api/v3/loss')
@RequiresScope('scores:read')
@AdmitsLimited('rows')
export class LossController {
  constructor(
    private readonly losses: Losses,
    private readonly lossFixes: LossFixes,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Returns the expected loss of a year, for the organization or one group',
    description:
      'Simulates years from the current scores (docs/scoring.md "Loss"). `loss` is null and `reason` states why as long ' +
      'as the setting `loss` is empty. One simulation runs at a time; if others wait, the response is 429. ' +
      'Results are kept until a score or a setting changes. For a caller that is limited to departments or locations, ' +
      'amounts are those of the assets that it sees.',
  })
  @ApiOkResponse({ type: LossDto })
  loss(@Query() query: LossQuery, @VisibleRows() rows: RowLimits): Promise<LossDto> {
    return this.losses.of(query, rows);
  }

  @Get('fixes')
  @ApiOperation({
    summary: 'Returns the fixes that avoid most loss, for the organization or one group',
    description:
      'A fix is a single finding, or a CVE on all assets. Each fix is simulated separately, on the same years as without ' +
      'it. The fixes to simulate are those with the greatest estimated avoided loss. Findings of assets that wait to be ' +
      'scored are not considered. The request reads all assets with a hazard.',
  })
  @ApiOkResponse({ type: LossFixesDto })
  fixes(@Query() query: LossFixesQuery, @VisibleRows() rows: RowLimits): Promise<LossFixesDto> {
    return this.lossFixes.best(query, rows);
  }
}
