import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CalledBy, type LimitedCaller, type ScopedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresSignIn } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import type { Page } from '../paging/page.ts';
import {
  ChangeNotificationPreferencesDto,
  NotificationDto,
  NotificationPageDto,
  NotificationPreferencesDto,
  NotificationsQuery,
  ReadNotificationDto,
  ReadNotificationsDto,
  UnreadCountDto,
} from './notification.dto.ts';
import { NotificationPreferences } from './notification-preferences.service.ts';
import { NotificationsService } from './notifications.service.ts';

const NO_SUCH = {
  description: 'The notification does not exist, or what it is about is not visible to the caller',
};
const NO_PERSON = { description: 'The caller is an API token, which has no notifications' };

@ApiTags('notifications')
@ApiBearerAuth()
@Controller('api/v3/notifications')
@RequiresSignIn()
@AdmitsLimited('rows')
@ApiForbiddenResponse(NO_PERSON)
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly preferences: NotificationPreferences,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Lists the notifications of the caller, newest first',
    description:
      'Those about findings that the caller sees require `findings:read`, those about syncs `integrations:write`, those about ' +
      'webhooks and report schedules `webhooks:write`. They are kept for 90 days, up to 1,000 of a person. The caller gets no ' +
      'notification of its own acts.',
  })
  @ApiOkResponse({ type: NotificationPageDto })
  list(@Query() query: NotificationsQuery, @CalledBy() caller: ScopedCaller): Promise<Page<NotificationDto>> {
    return this.notifications.list(query, caller);
  }

  @Get('unread')
  @ApiOperation({ summary: 'Counts the unread notifications of the caller' })
  @ApiOkResponse({ type: UnreadCountDto })
  unread(@CalledBy() caller: ScopedCaller): Promise<UnreadCountDto> {
    return this.notifications.countUnread(caller);
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Marks all notifications of the caller as read' })
  @ApiBody({ type: ReadNotificationsDto, required: false })
  @ApiOkResponse({ type: UnreadCountDto, description: 'What is unread then' })
  readAll(@Body() given: ReadNotificationsDto, @CalledBy() caller: ScopedCaller): Promise<UnreadCountDto> {
    return this.notifications.readAll(given, caller);
  }

  @Get('preferences')
  @ApiOperation({ summary: 'Returns what notifies the caller, and where and when messages are sent' })
  @ApiOkResponse({ type: NotificationPreferencesDto })
  getPreferences(@CalledBy() caller: LimitedCaller): Promise<NotificationPreferencesDto> {
    return this.preferences.get(caller);
  }

  @Patch('preferences')
  @ApiOperation({
    summary: 'Changes what notifies the caller, and where and when messages are sent',
    description:
      'Another channel sends what happens from then on. Messages on their way to the previous address end.',
  })
  @ApiOkResponse({ type: NotificationPreferencesDto })
  changePreferences(
    @Body() changes: ChangeNotificationPreferencesDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<NotificationPreferencesDto> {
    return this.preferences.change(changes, caller);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sends a test message to the address of the caller within seconds, also in quiet hours',
    description: '`lastMessage` is the message. It is not tried again.',
  })
  @ApiOkResponse({ type: NotificationPreferencesDto })
  @ApiConflictResponse({
    description: 'The caller has no channel, or a test was sent within the last minute',
  })
  test(@CalledBy() caller: LimitedCaller): Promise<NotificationPreferencesDto> {
    return this.preferences.test(caller);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Marks a notification as read or unread' })
  @ApiOkResponse({ type: NotificationDto })
  @ApiNotFoundResponse(NO_SUCH)
  read(
    @Param('id', UuidPipe) id: string,
    @Body() given: ReadNotificationDto,
    @CalledBy() caller: ScopedCaller,
  ): Promise<NotificationDto> {
    return this.notifications.read(id, given, caller);
  }
}
