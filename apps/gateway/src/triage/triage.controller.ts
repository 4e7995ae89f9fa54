import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type LimitedCaller, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { FindingActRoute } from '../finding-acts/finding-act-route.ts';
import type { FindingDto } from '../findings/finding.dto.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import type { Page } from '../paging/page.ts';
import { type CommentDto, CommentPageDto, CommentsQuery } from './comment.dto.ts';
import {
  AssignFindingDto,
  ChangeTicketsDto,
  CommentFindingDto,
  SetDueDto,
  TagFindingDto,
} from './triage.dto.ts';
import { TriageService } from './triage.service.ts';
import { assigned, tagged, ticketsChanged } from './triage-acts.ts';

@ApiTags('findings')
@ApiBearerAuth()
@Controller('api/v3/findings')
@RequiresScope('findings:triage')
@AdmitsLimited('rows')
export class TriageController {
  constructor(private readonly triage: TriageService) {}

  @FindingActRoute('assign', {
    summary: 'Assigns a finding to a user or a team',
    conflict: 'The finding is Retired, or `version` is stale',
  })
  assign(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...given }: AssignFindingDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.triage.perform(id, assigned(given), version, caller);
  }

  @FindingActRoute('tags', {
    summary: 'Adds and removes tags of a finding',
    conflict: 'The finding is Retired, or `version` is stale, or it has too many',
  })
  tag(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...given }: TagFindingDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.triage.perform(id, tagged(given), version, caller);
  }

  @FindingActRoute('due', {
    summary: 'Sets or removes the due date of a finding',
    conflict: 'The finding is Retired, or `version` is stale',
  })
  setDue(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...given }: SetDueDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.triage.perform(id, this.triage.dueSet(given), version, caller);
  }

  @FindingActRoute('tickets', {
    summary: 'Attaches tickets to a finding and detaches them',
    conflict: 'The finding is Retired, or `version` is stale, or it has too many',
  })
  changeTickets(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...given }: ChangeTicketsDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.triage.perform(id, ticketsChanged(given), version, caller);
  }

  @FindingActRoute('comments', {
    summary: 'Adds a comment to a finding',
    conflict: 'The finding is Retired, or `version` is stale',
  })
  async comment(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...given }: CommentFindingDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<FindingDto | PendingAct> {
    return this.triage.perform(id, await this.triage.commented(given), version, caller);
  }

  @Get(':id/comments')
  @RequiresScope('findings:read')
  @ApiOperation({ summary: 'Lists the comments on a finding, oldest first' })
  @ApiOkResponse({ type: CommentPageDto })
  @ApiNotFoundResponse({ description: 'The finding does not exist, or did not exist at `asOf`' })
  comments(
    @Param('id', UuidPipe) id: string,
    @Query() query: CommentsQuery,
    @VisibleRows() rows: RowLimits,
  ): Promise<Page<CommentDto>> {
    return this.triage.commentsOf(id, query, rows);
  }
}
