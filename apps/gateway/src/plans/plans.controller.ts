import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiGoneResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MayBePending } from '../acts/pending.interceptor.ts';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type LimitedCaller, ReadBy, type Reader, type ScopedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { AsOfQuery } from '../paging/as-of.ts';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import type { Page } from '../paging/page.ts';
import { ApiPastRead } from '../paging/past-read-response.ts';
import {
  AddPlanDto,
  BurnDownDto,
  ChangePlanDto,
  PlanDto,
  PlanOutcomeDto,
  PlanPageDto,
  PlansQuery,
  RemovePlanQuery,
} from './plan.dto.ts';
import { PlanProgress } from './plan-progress.service.ts';
import { PlansService } from './plans.service.ts';

const NO_SUCH = { description: 'The plan does not exist, or the caller sees none of its findings' };
const HIDDEN = { description: 'The plan contains findings that the caller does not see' };

@ApiTags('plans')
@ApiBearerAuth()
@Controller('api/v3/plans')
@RequiresScope('findings:read')
export class PlansController {
  constructor(
    private readonly plans: PlansService,
    private readonly progress: PlanProgress,
  ) {}

  @Get()
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Lists remediation plans, newest first',
    description:
      'A caller that is limited to departments or locations gets the plans with a finding that it sees, with the number of these findings.',
  })
  @ApiOkResponse({ type: PlanPageDto })
  @ApiPastRead()
  list(
    @Query() query: PlansQuery,
    @CalledBy() caller: ScopedCaller,
    @ReadBy() reader: Reader,
  ): Promise<Page<PlanDto>> {
    return this.plans.list(query, caller, reader);
  }

  @Post()
  @HttpCode(200)
  @RequiresScope('findings:triage')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Adds a remediation plan with findings, by ids or by a query',
    description: 'An organization has at most 200 plans, a plan at most 1,000 findings.',
  })
  @ApiOkResponse({ type: PlanDto })
  @MayBePending()
  @ApiNotFoundResponse({ description: 'Findings do not exist. `message` lists the first ten' })
  @ApiConflictResponse({ description: 'The name is in use, or the limit of plans is reached' })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  add(@Body() given: AddPlanDto, @CalledBy() caller: ScopedCaller): Promise<PlanDto | PendingAct> {
    return this.plans.add(given, caller);
  }

  @Get(':id')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Returns a remediation plan' })
  @ApiOkResponse({ type: PlanDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfQuery,
    @CalledBy() caller: ScopedCaller,
  ): Promise<PlanDto> {
    return this.plans.get(id, query, caller);
  }

  @Patch(':id')
  @RequiresScope('findings:triage')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Changes a remediation plan: its texts, findings or state',
    description:
      'Omitted fields keep their values. When the plan begins, its promise is stored: the score of the organization with ' +
      'all of its findings fixed. A caller that is limited to departments or locations changes only plans all of whose ' +
      'findings it sees.',
  })
  @ApiOkResponse({ type: PlanDto })
  @MayBePending()
  @ApiForbiddenResponse(HIDDEN)
  @ApiNotFoundResponse({ description: 'The plan or one of the findings does not exist' })
  @ApiConflictResponse({
    description: 'The plan has changed since `version`, its name is in use, or it cannot become `state`',
  })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  change(
    @Param('id', UuidPipe) id: string,
    @Body() given: ChangePlanDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<PlanDto | PendingAct> {
    return this.plans.change(id, given, caller);
  }

  @Delete(':id')
  @RequiresScope('findings:triage')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Removes a remediation plan. It stays in the audit trail, and as of earlier times',
  })
  @ApiOkResponse({ type: PlanDto, description: 'The removed plan' })
  @MayBePending()
  @ApiForbiddenResponse(HIDDEN)
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The plan has changed since `version`' })
  remove(
    @Param('id', UuidPipe) id: string,
    @Query() { version }: RemovePlanQuery,
    @CalledBy() caller: ScopedCaller,
  ): Promise<PlanDto | PendingAct> {
    return this.plans.remove(id, version, caller);
  }

  @Get(':id/burn-down')
  @AdmitsLimited('rows')
  @ApiOperation({
    summary: 'Counts the findings of a plan by state, day by day',
    description:
      'From the history of its findings. For limited callers, only findings that were visible to them all the time since then.',
  })
  @ApiOkResponse({ type: BurnDownDto })
  @ApiNotFoundResponse(NO_SUCH)
  burnDown(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfQuery,
    @CalledBy() caller: LimitedCaller,
  ): Promise<BurnDownDto> {
    return this.progress.burnDown(id, query, caller);
  }

  @Get(':id/outcome')
  @RequiresScope('scores:read', 'findings:read')
  @ApiOperation({
    summary: 'Compares the score that a plan promised with what it brought',
    description:
      'From the history: the score of the organization at the start and at the end of the plan, and which part of the ' +
      'difference its findings caused. At most two such requests run at a time.',
  })
  @ApiOkResponse({ type: PlanOutcomeDto })
  @ApiNotFoundResponse({ description: 'The plan does not exist' })
  @ApiConflictResponse({ description: 'The plan has not begun' })
  outcome(
    @Param('id', UuidPipe) id: string,
    @Query() query: AsOfQuery,
    @CalledBy() caller: LimitedCaller,
  ): Promise<PlanOutcomeDto> {
    return this.progress.outcome(id, query, caller);
  }
}
