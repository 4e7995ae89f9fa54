import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiGoneResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, type ScopedCaller } from '../auth/caller.ts';
import { RequiresSignIn } from '../auth/scopes.ts';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import { BulkActsDto, BulkActsOutcomeDto } from './bulk-acts.dto.ts';
import { BulkActs } from './bulk-acts.service.ts';

@ApiTags('findings')
@ApiBearerAuth()
@Controller('api/v3/findings')
@RequiresSignIn('rows')
export class BulkActsController {
  constructor(private readonly bulkActs: BulkActs) {}

  @Post('acts')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Performs one act on many findings: up to 500 ids, or up to 10,000 findings that match a filter',
    description:
      'Names exactly one act. Each finding has its own outcome, as if the act had been requested for it alone: a ' +
      'refused finding does not stop the others. A repeated request changes nothing more, except that it adds the ' +
      'comment again unless `versions` is given. `accept` and `revert` require the scope findings:accept, all other ' +
      'acts findings:triage.',
  })
  @ApiOkResponse({ type: BulkActsOutcomeDto })
  @ApiConflictResponse({ description: 'The matching findings have changed since the dry run' })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  perform(@Body() given: BulkActsDto, @CalledBy() caller: ScopedCaller): Promise<BulkActsOutcomeDto> {
    return this.bulkActs.perform(given, caller);
  }
}
