import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { Roles } from '../auth/roles.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
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

const NO_SUCH = { description: 'no such webhook' };

/** Addresses of receivers may hold tokens: nobody but an admin sees them. */
@ApiTags('webhooks')
@ApiBearerAuth()
@Controller('api/v3/webhooks')
@Roles('admin')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTests,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Adds a webhook: changes are delivered there as CloudEvents, signed (Standard Webhooks)',
    description:
      'At least once, in order per topic and partition, so of every asset and its findings; each delivery is repeated until it is answered with a 2xx. Its secret is shown this once.',
  })
  @ApiOkResponse({ type: WebhookWithSecretDto })
  @ApiConflictResponse({ description: 'there are 50' })
  add(
    @Body() given: AddWebhookDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookWithSecretDto> {
    return this.webhooks.add(given, caller);
  }

  @Get()
  @ApiOperation({ summary: 'All webhooks, newest first; never a secret' })
  @ApiOkResponse({ type: WebhookPageDto })
  list(@Query() query: PageQuery): Promise<Page<WebhookDto>> {
    return this.webhooks.list(query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'A webhook, how far it is, and why it is paused' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', ParseUUIDPipe) id: string, @Query(NoQueryPipe) _query: object): Promise<WebhookDto> {
    return this.webhooks.get(id);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Changes a webhook; what is left out stays. A topic that is new is delivered from now on',
  })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'somebody else has changed it since `version`' })
  change(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() changes: ChangeWebhookDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.change(id, changes, caller);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Removes a webhook with its secret and what is told of its deliveries' })
  @ApiOkResponse({ type: WebhookDto, description: 'as it was' })
  @ApiNotFoundResponse(NO_SUCH)
  remove(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.remove(id, caller);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sends an event of type `posture.webhook.test`, now and once; also where it is paused',
  })
  @ApiOkResponse({ type: WebhookTestDto, description: 'What came of it: `ok` false is no refusal' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiTooManyRequestsResponse({ description: 'four run already; `message` is the number of seconds to wait' })
  test(@Param('id', ParseUUIDPipe) id: string, @Query(NoQueryPipe) _query: object): Promise<WebhookTestDto> {
    return this.tests.test(id);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiBody({ type: RotateWebhookDto, required: false })
  @ApiOperation({ summary: 'Another secret, shown this once; the one before signs too for a day' })
  @ApiOkResponse({ type: WebhookWithSecretDto })
  @ApiNotFoundResponse(NO_SUCH)
  rotate(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() given: RotateWebhookDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookWithSecretDto> {
    return this.webhooks.rotate(id, given, caller);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delivers nothing from now on; nothing is lost' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  pause(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.pause(id, caller);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delivers again, from where it was paused' })
  @ApiOkResponse({ type: WebhookDto })
  @ApiNotFoundResponse(NO_SUCH)
  resume(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.resume(id, caller);
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Delivers again from a position or an instant on, or passes over what lies before it',
    description:
      'Events have the ids that they had; deliveries have new ones. A paused webhook begins there once it is resumed. Topics that a position does not speak of stay where they are.',
  })
  @ApiOkResponse({ type: WebhookDto })
  @ApiBadRequestResponse({ description: '`from` is neither a position of this installation nor an instant' })
  @ApiNotFoundResponse(NO_SUCH)
  replay(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() given: ReplayWebhookDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<WebhookDto> {
    return this.webhooks.replay(id, given, caller);
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: 'Deliveries of the last week, newest first, with what the last attempt came to' })
  @ApiOkResponse({ type: DeliveryPageDto })
  @ApiNotFoundResponse(NO_SUCH)
  deliveries(@Param('id', ParseUUIDPipe) id: string, @Query() query: PageQuery): Promise<Page<DeliveryDto>> {
    return this.webhooks.deliveries(id, query);
  }
}
