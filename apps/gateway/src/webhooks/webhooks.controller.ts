import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiGoneResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { RowLimits } from '#libs/tables';
import { CalledBy, type LimitedCaller, type ScopedCaller, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import {
  AddWebhookDto,
  ChangeWebhookDto,
  DeliveryDto,
  DeliveryPageDto,
  ReplayWebhookDto,
  RotateWebhookDto,
  WebhookDto,
  WebhookPageDto,
  WebhookTestDto,
  WebhookWithSecretDto,
} from './webhook.dto.ts';
import { WebhookTests } from './webhook-tests.service.ts';
import { WebhooksService } from './webhooks.service.ts';

const NO_SUCH = { description: 'The webhook does not exist' };
const MAY_NOT_SEND = {
  description:
    'The caller lacks `webhooks:write`, or the scope of what the webhook sends: `changes:read` for `cloudevents`, `findings:read` for tickets',
};

/** Addresses of receivers may hold tokens: only admins see them. */
@ApiTags('webhooks')
@ApiBearerAuth()
@Controller('api/v3/webhooks')
@RequiresScope('webhooks:write')
@AdmitsLimited('rows')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTests,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Creates a webhook. The service delivers changes to it as signed CloudEvents (Standard Webhooks), or keeps tickets of findings in another system',
    description:
      'Delivery is at least once and ordered per topic and partition, and therefore per asset with its findings. The service retries each delivery until the receiver responds with a 2xx status. The secret is shown only once. With `departments` or `locations`, it delivers the changes of these assets only, as the change stream does for limited callers; a limited caller creates webhooks within its limits, by default with the same. With another `kind`, the service opens a ticket for each finding that matches `filter`, closes it when the finding leaves the states of the filter (default: Failed), and opens it again when the finding returns.',
  })
  @ApiOkResponse({ type: WebhookWithSecretDto })
  @ApiForbiddenResponse(MAY_NOT_SEND)
  @ApiConflictResponse({ description: 'The limit of 50 webhooks is reached' })
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  add(@Body() given: AddWebhookDto, @CalledBy() caller: ScopedCaller): Promise<WebhookWithSecretDto> {
    return this.webhooks.add(given, caller);
  }

  @Get()
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Lists webhooks, newest first, without secrets' })
  @ApiOkResponse({ type: WebhookPageDto })
  list(@Query() query: PageQuery, @VisibleRows() visible: RowLimits): Promise<Page<WebhookDto>> {
    return this.webhooks.list(query, visible);
  }

  @Get(':id')
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Returns a webhook with its position and the reason if it is paused' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', UuidPipe) id: string, @VisibleRows() visible: RowLimits): Promise<WebhookDto> {
    return this.webhooks.get(id, visible);
  }

  @Patch(':id')
  @ApiOperation({
    summary:
      'Changes a webhook. Omitted fields keep their values. Delivery of a new topic starts at the present. For `jira` and `email`, another `url` or `options.user` requires `secret`',
  })
  @ApiOkResponse({ type: WebhookDto })
  @ApiForbiddenResponse(MAY_NOT_SEND)
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'The webhook has changed since `version`' })
  change(
    @Param('id', UuidPipe) id: string,
    @Body() changes: ChangeWebhookDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<WebhookDto> {
    return this.webhooks.change(id, changes, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Removes a webhook, its secret and the records of its deliveries' })
  @ApiOkResponse({ type: WebhookDto, description: 'The removed webhook' })
  @ApiNotFoundResponse(NO_SUCH)
  remove(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<WebhookDto> {
    return this.webhooks.remove(id, caller);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Sends one event of type `posture.webhook.test` immediately, even if the webhook is paused. For tickets: tries address and secret; chats receive a test message, and no issue is created',
  })
  @ApiOkResponse({
    type: WebhookTestDto,
    description: 'Result of the test. A failed test also returns 200, with `ok` false',
  })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'Another user changes the webhook at the same time' })
  @ApiTooManyRequestsResponse({
    description: 'Four tests are already in progress. `message` is the number of seconds to wait',
  })
  test(@Param('id', UuidPipe) id: string, @VisibleRows() visible: RowLimits): Promise<WebhookTestDto> {
    return this.tests.test(id, visible);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiBody({ type: RotateWebhookDto, required: false })
  @ApiOperation({
    summary:
      'Replaces the secret. The new secret is shown only once. The previous secrets, up to four, also sign for one day. For tickets, `secret` is required and used at once',
  })
  @ApiOkResponse({ type: WebhookWithSecretDto })
  @ApiForbiddenResponse(MAY_NOT_SEND)
  @ApiNotFoundResponse(NO_SUCH)
  rotate(
    @Param('id', UuidPipe) id: string,
    @Body() given: RotateWebhookDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<WebhookWithSecretDto> {
    return this.webhooks.rotate(id, given, caller);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Pauses delivery. No changes are lost' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  pause(@Param('id', UuidPipe) id: string, @CalledBy() caller: LimitedCaller): Promise<WebhookDto> {
    return this.webhooks.pause(id, caller);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Resumes delivery from the position where it was paused' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiForbiddenResponse(MAY_NOT_SEND)
  @ApiNotFoundResponse(NO_SUCH)
  resume(@Param('id', UuidPipe) id: string, @CalledBy() caller: ScopedCaller): Promise<WebhookDto> {
    return this.webhooks.resume(id, caller);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Moves the webhook to a position or time: repeats earlier changes or skips the changes before it',
    description:
      'Events keep their ids. Deliveries have new ids. A paused webhook starts there after it is resumed; one that was paused for a `gap` is resumed at once. Topics that the position does not contain keep their position.',
  })
  @ApiOkResponse({ type: WebhookDto })
  @ApiForbiddenResponse(MAY_NOT_SEND)
  @ApiBadRequestResponse({ description: '`from` is not a position of this installation and not a time' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiGoneResponse({ description: HISTORY_REMOVED })
  replay(
    @Param('id', UuidPipe) id: string,
    @Body() given: ReplayWebhookDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<WebhookDto> {
    return this.webhooks.replay(id, given, caller);
  }

  @Get(':id/deliveries')
  @RequiresScope('webhooks:read')
  @ApiOperation({
    summary: 'Lists deliveries of the last week, newest first, with the result of the last attempt',
  })
  @ApiOkResponse({ type: DeliveryPageDto })
  @ApiNotFoundResponse(NO_SUCH)
  deliveries(
    @Param('id', UuidPipe) id: string,
    @Query() query: PageQuery,
    @VisibleRows() visible: RowLimits,
  ): Promise<Page<DeliveryDto>> {
    return this.webhooks.deliveries(id, query, visible);
  }
}
