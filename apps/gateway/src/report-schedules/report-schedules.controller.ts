import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, type LimitedCaller, type ScopedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import {
  AddReportScheduleDto,
  CalendarDto,
  CalendarPreviewDto,
  ChangeReportScheduleDto,
  type ReportDeliveryDto,
  ReportDeliveryPageDto,
  ReportScheduleDto,
  ReportSchedulePageDto,
  ReportScheduleWithSecretDto,
} from './report-schedule.dto.ts';
import { ReportSchedulesService, SCHEDULES_MAX } from './report-schedules.service.ts';

const NO_SUCH = { description: 'The report schedule does not exist' };
const MAY_NOT_READ = {
  description:
    'The caller lacks a scope of the report or `webhooks:write`, or is limited, and the report is the board report',
};

/** What leaves the service by itself, as webhooks do: the scopes are theirs. */
@ApiTags('report schedules')
@ApiBearerAuth()
@Controller('api/v3/report-schedules')
@RequiresScope('webhooks:write')
@AdmitsLimited('rows')
export class ReportSchedulesController {
  constructor(private readonly schedules: ReportSchedulesService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Creates a report schedule. The service sends the report at its times, by e-mail, to a webhook, or both',
    description:
      'Each report is made as of its time, with the rights and the visible rows of the owner at the time of sending: the ' +
      'caller, until another one changes the schedule. The message has the report as an HTML page, the webhook gets it as ' +
      'a signed CloudEvent. A failed sending is retried up to 7 times within hours. A limited caller sees only its own ' +
      'schedules. The secret of a webhook is shown only once.',
  })
  @ApiOkResponse({ type: ReportScheduleWithSecretDto })
  @ApiForbiddenResponse(MAY_NOT_READ)
  @ApiConflictResponse({ description: `The limit of ${SCHEDULES_MAX} report schedules is reached` })
  add(
    @Body() given: AddReportScheduleDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<ReportScheduleWithSecretDto> {
    return this.schedules.add(given, caller);
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Returns the next times of a cron expression in a time zone. Changes nothing' })
  @ApiOkResponse({ type: CalendarPreviewDto })
  preview(@Body() calendar: CalendarDto): CalendarPreviewDto {
    return this.schedules.preview(calendar);
  }

  @Get()
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Lists report schedules, newest first, without secrets' })
  @ApiOkResponse({ type: ReportSchedulePageDto })
  list(@Query() query: PageQuery, @CalledBy() caller: LimitedCaller): Promise<Page<ReportScheduleDto>> {
    return this.schedules.list(query, caller);
  }

  @Get(':id')
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Returns a report schedule with its next times and its last report' })
  @ApiOkResponse({ type: ReportScheduleDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<ReportScheduleDto> {
    return this.schedules.get(id, caller);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Changes a report schedule, and makes the caller its owner. Omitted fields keep their values',
  })
  @ApiOkResponse({ type: ReportScheduleWithSecretDto })
  @ApiForbiddenResponse(MAY_NOT_READ)
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The schedule has changed since `version`' })
  change(
    @Param('id', UuidPipe) id: string,
    @Body() changes: ChangeReportScheduleDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<ReportScheduleWithSecretDto> {
    return this.schedules.change(id, changes, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Removes a report schedule, its recipients and the records of its deliveries' })
  @ApiOkResponse({ type: ReportScheduleDto, description: 'The removed schedule' })
  @ApiNotFoundResponse(NO_SUCH)
  remove(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<ReportScheduleDto> {
    return this.schedules.remove(id, caller);
  }

  @Post(':id/send')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Sends the report of a second ago within seconds, with the rights of the owner, also while the schedule is disabled. `last` is the sending',
  })
  @ApiOkResponse({ type: ReportScheduleDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The last report that a user sent is still pending' })
  send(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<ReportScheduleDto> {
    return this.schedules.send(id, caller);
  }

  @Get(':id/deliveries')
  @RequiresScope('webhooks:read')
  @ApiOperation({
    summary: 'Lists the sendings of the last 400 days, newest first, with the result of the last attempt',
  })
  @ApiOkResponse({ type: ReportDeliveryPageDto })
  @ApiNotFoundResponse(NO_SUCH)
  deliveries(
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
    @CalledBy() caller: LimitedCaller,
  ): Promise<Page<ReportDeliveryDto>> {
    return this.schedules.listDeliveries(id, query, caller);
  }
}
