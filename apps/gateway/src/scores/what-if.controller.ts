import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { WhatIfDto, WhatIfOutcomeDto } from './what-if.dto.ts';
import { WhatIfs } from './what-if.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
@RequiresScope('scores:read')
export class WhatIfController {
  constructor(private readonly whatIfs: WhatIfs) {}

  @Post('what-if')
  @HttpCode(200)
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Computes the scores if findings were fixed or accepted, or CVEs fixed on all assets',
    description:
      'The request changes no data. All roles may send it. At most two such requests run at a time. For a caller that is ' +
      'limited to departments or locations, `organization` contains the assets that it sees.',
  })
  @ApiOkResponse({ type: WhatIfOutcomeDto })
  @ApiNotFoundResponse({ description: 'Findings do not exist. `message` lists the first ten' })
  outcome(@Body() given: WhatIfDto, @VisibleRows() rows: RowLimits): Promise<WhatIfOutcomeDto> {
    return this.whatIfs.outcome(given, rows);
  }
}
