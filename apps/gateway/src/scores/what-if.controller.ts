import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { WhatIfDto, WhatIfOutcomeDto } from './what-if.dto.ts';
import { WhatIfs } from './what-if.service.ts';

@ApiTags('scores')
@ApiBearerAuth()
@Controller('api/v3/scores')
export class WhatIfController {
  constructor(private readonly whatIfs: WhatIfs) {}

  @Post('what-if')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The scores if findings were fixed or accepted, or CVEs fixed wherever they are',
    description: 'It changes nothing, and every role may ask; two such questions at a time.',
  })
  @ApiOkResponse({ type: WhatIfOutcomeDto })
  @ApiNotFoundResponse({ description: 'no such findings; `message` names the first ten' })
  outcome(@Body() given: WhatIfDto, @Query(NoQueryPipe) _query: object): Promise<WhatIfOutcomeDto> {
    return this.whatIfs.outcome(given);
  }
}
