import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { ActsService } from '../acts/acts.service.ts';
import { webhookChanged } from '../acts/webhook-changed.ts';
import type { Caller } from '../auth/caller.ts';
import { mailServerWith } from '../webhooks/given-mail-server.ts';
import { shownUrl } from '../webhooks/receiver-url.ts';
import type {
  ChangeNotificationSettingsDto,
  NotificationSettingsDto,
  SetNotificationMailDto,
} from './notification.dto.ts';
import { RESTORED } from './notification-preferences.service.ts';
import {
  type NotificationMail,
  NotificationSecretError,
  SealedSettings,
  type SiteChannels,
  type StoredChannels,
} from './sealed-settings.service.ts';

/** What admins decide: the mail server, and where the service may send to. As with webhooks, it is outside the log. */
@Injectable()
export class NotificationSettingsService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly settings: SealedSettings,
    private readonly acts: ActsService,
  ) {}

  async get(): Promise<NotificationSettingsDto> {
    try {
      return settingsView(await this.settings.read());
    } catch (error) {
      if (!(error instanceof NotificationSecretError)) throw error;
      return { email: null, slackHosts: [], teamsHosts: [], problem: error.message };
    }
  }

  /** @throws BadRequestException; ConflictException if omitted fields cannot be read */
  async change(changes: ChangeNotificationSettingsDto, caller: Caller): Promise<NotificationSettingsDto> {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestException('the body must contain email, slackHosts or teamsHosts');
    }
    await this.db.transaction().execute(async (trx) => {
      await this.settings.lock(trx);
      const before = await this.before(changes);
      const { email, slackHosts = before.slackHosts, teamsHosts = before.teamsHosts } = changes;
      const after = {
        email: email === undefined ? before.email : email && mailWith(before.email, email),
        ...{ slackHosts, teamsHosts },
      };
      await this.settings.save(after, this.now(), trx);
      await this.acts.append(
        [webhookChanged('notificationSettingsChanged', 'notifications', auditDetailsOf(after))],
        caller,
      );
    });
    return this.get();
  }

  /** What cannot be read is entered again: all of it, because other gateways may have the key. */
  private async before(given: ChangeNotificationSettingsDto): Promise<SiteChannels> {
    try {
      return await this.settings.read();
    } catch (error) {
      if (!(error instanceof NotificationSecretError)) throw error;
      const { email, slackHosts, teamsHosts } = given;
      if ([email, slackHosts, teamsHosts].includes(undefined)) {
        throw new ConflictException(`${error.message}, with email, slackHosts and teamsHosts`);
      }
      return { email: null, slackHosts: [], teamsHosts: [] };
    }
  }
}

/** Without names, sender and password: the log keeps it for ever. */
const auditDetailsOf = ({ email, slackHosts, teamsHosts }: SiteChannels) => ({
  email: email && { url: shownUrl(email.url), domains: email.domains },
  slackHosts,
  teamsHosts,
});

const mailWith = (before: NotificationMail | null, given: SetNotificationMailDto): NotificationMail => ({
  ...mailServerWith(before, given),
  from: given.from,
  domains: given.domains,
});

const settingsView = ({
  email,
  slackHosts,
  teamsHosts,
  isRestored,
}: StoredChannels): NotificationSettingsDto => ({
  email: email && { url: email.url, from: email.from, domains: email.domains, user: email.user },
  ...{ slackHosts, teamsHosts },
  problem: isRestored ? RESTORED : null,
});
