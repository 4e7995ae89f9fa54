import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiGoneResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type LimitedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { FindingActRoute } from '../finding-acts/finding-act-route.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import {
  AcceptFindingDto,
  BulkAcceptDto,
  BulkOutcomeDto,
  BulkRevertDto,
  RevertFindingDto,
} from './acceptance.dto.ts';
import { AcceptanceService } from './acceptance.service.ts';

@ApiTags('findings')
@ApiBearerAuth()
@Controller('api/v3/findings')
@RequiresScope('findings:accept')
@AdmitsLimited('rows')
export class AcceptanceController {
  constructor(private readonly acceptance: AcceptanceService) {}

  @Post('accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Accepts all Failed findings that match a filter, up to 10,000, after a dry run' })
  @ApiOkResponse({ type: BulkOutcomeDto })
  @ApiConflictResponse({ description: 'The matching findings have changed since the dry run' })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  acceptMany(@Body() given: BulkAcceptDto, @CalledBy() caller: LimitedCaller): Promise<BulkOutcomeDto> {
    return this.acceptance.acceptMany(given, caller);
  }

  @Post('revert')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Reverts all Accepted Failed findings that match a filter, up to 10,000, after a dry run',
  })
  @ApiOkResponse({ type: BulkOutcomeDto })
  @ApiConflictResponse({ description: 'The matching findings have changed since the dry run' })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  revertMany(@Body() given: BulkRevertDto, @CalledBy() caller: LimitedCaller): Promise<BulkOutcomeDto> {
    return this.acceptance.revertMany(given, caller);
  }

  @FindingActRoute('accept', {
    summary: 'Accepts a Failed finding. Signals do not change its state until the acceptance ends',
    conflict: 'The finding is not Failed, or `version` is stale',
  })
  accept(
    @Param('id', UuidPipe) id: string,
    @Body() given: AcceptFindingDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.acceptance.accept(id, given, caller);
  }

  @FindingActRoute('revert', {
    summary: 'Ends an acceptance or a hold',
    conflict: 'The finding is not accepted or held, or `version` is stale',
  })
  revert(
    @Param('id', UuidPipe) id: string,
    @Body() given: RevertFindingDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.acceptance.revert(id, given, caller);
  }
}
