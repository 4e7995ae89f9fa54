import {
  Body,
  Controller,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { PendingInterceptor } from '../acts/pending.interceptor.ts';
import { type PendingAct, PendingActDto } from '../acts/pending-act.ts';
import { CalledBy, type LimitedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { FindingDto } from '../findings/finding.dto.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
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
@UseInterceptors(PendingInterceptor)
export class AcceptanceController {
  constructor(private readonly acceptance: AcceptanceService) {}

  @Post('accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Accepts all Failed findings that match a filter, up to 10,000, after a dry run' })
  @ApiOkResponse({ type: BulkOutcomeDto })
  @ApiConflictResponse({ description: 'The matching findings have changed since the dry run' })
  acceptMany(
    @Body() given: BulkAcceptDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: LimitedCaller,
  ): Promise<BulkOutcomeDto> {
    return this.acceptance.acceptMany(given, caller);
  }

  @Post('revert')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Reverts all Accepted Failed findings that match a filter, up to 10,000, after a dry run',
  })
  @ApiOkResponse({ type: BulkOutcomeDto })
  @ApiConflictResponse({ description: 'The matching findings have changed since the dry run' })
  revertMany(
    @Body() given: BulkRevertDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: LimitedCaller,
  ): Promise<BulkOutcomeDto> {
    return this.acceptance.revertMany(given, caller);
  }

  @Post(':id/accept')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accepts a Failed finding. Signals do not change its state until the acceptance ends',
  })
  @ApiOkResponse({ type: FindingDto })
  @ApiAcceptedResponse({ type: PendingActDto, description: 'Stored in the log, processing pending' })
  @ApiNotFoundResponse({ description: 'The finding does not exist' })
  @ApiConflictResponse({ description: 'The finding is not Failed, or `version` is stale' })
  accept(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() given: AcceptFindingDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.acceptance.accept(id, given, caller);
  }

  @Post(':id/revert')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends an acceptance or a hold' })
  @ApiOkResponse({ type: FindingDto })
  @ApiAcceptedResponse({ type: PendingActDto, description: 'Stored in the log, processing pending' })
  @ApiNotFoundResponse({ description: 'The finding does not exist' })
  @ApiConflictResponse({ description: 'The finding is not accepted or held, or `version` is stale' })
  revert(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() given: RevertFindingDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.acceptance.revert(id, given, caller);
  }
}
