import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { EgressModule } from '../egress/egress.module.ts';
import { FindingsModule } from '../findings/findings.module.ts';
import { AcceptancesRepository } from './acceptances.repository.ts';
import { AuditReadingRepository } from './audit-reading.repository.ts';
import { DueLooks } from './due-looks.service.ts';
import { NotificationMessagesRepository } from './messages.repository.ts';
import { NextMessageLook } from './next-message-look.ts';
import { NotificationPreferences } from './notification-preferences.service.ts';
import { NotificationSender } from './notification-sender.service.ts';
import { NotificationSettingsController } from './notification-settings.controller.ts';
import { NotificationSettingsService } from './notification-settings.service.ts';
import { NotificationWriter } from './notification-writer.service.ts';
import { NotificationsController } from './notifications.controller.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { NotificationsService } from './notifications.service.ts';
import { NotifiedFindingsRepository } from './notified-findings.repository.ts';
import { NotificationPeopleRepository } from './people.repository.ts';
import { ProblemNotifier } from './problem-notifier.service.ts';
import { NotifiedProblemsRepository } from './problems.repository.ts';
import { SealedSettings } from './sealed-settings.service.ts';
import { NotifiedSubjectsRepository } from './subjects.repository.ts';

@Module({
  imports: [ActsModule, EgressModule, FindingsModule],
  controllers: [NotificationsController, NotificationSettingsController],
  providers: [
    AcceptancesRepository,
    AuditReadingRepository,
    DueLooks,
    NextMessageLook,
    NotificationMessagesRepository,
    NotificationPeopleRepository,
    NotificationPreferences,
    NotificationSender,
    NotificationSettingsService,
    NotificationWriter,
    NotificationsRepository,
    NotificationsService,
    NotifiedFindingsRepository,
    NotifiedProblemsRepository,
    NotifiedSubjectsRepository,
    ProblemNotifier,
    SealedSettings,
  ],
})
export class NotificationsModule {}
