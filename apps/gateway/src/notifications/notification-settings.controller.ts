import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CalledBy, type LimitedCaller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { ChangeNotificationSettingsDto, NotificationSettingsDto } from './notification.dto.ts';
import { NotificationSettingsService } from './notification-settings.service.ts';

/** Who decides what leaves the service by itself: the scopes are those of webhooks. */
@ApiTags('notifications')
@ApiBearerAuth()
@Controller('api/v3/notification-settings')
@RequiresScope('webhooks:write')
export class NotificationSettingsController {
  constructor(private readonly settings: NotificationSettingsService) {}

  @Get()
  @RequiresScope('webhooks:read')
  @ApiOperation({ summary: 'Returns how the service sends notifications to people, without the password' })
  @ApiOkResponse({ type: NotificationSettingsDto })
  get(): Promise<NotificationSettingsDto> {
    return this.settings.get();
  }

  @Patch()
  @ApiOperation({
    summary:
      'Changes the mail server, and to which domains and hosts people can have their notifications sent',
    description:
      'People choose one of the configured channels themselves. Addresses that are no longer permitted get no more messages.',
  })
  @ApiOkResponse({ type: NotificationSettingsDto })
  @ApiConflictResponse({
    description:
      'The stored settings cannot be read with the secret key of the gateway, and fields are omitted',
  })
  change(
    @Body() changes: ChangeNotificationSettingsDto,
    @CalledBy() caller: LimitedCaller,
  ): Promise<NotificationSettingsDto> {
    return this.settings.change(changes, caller);
  }
}
