import { randomUUID } from 'node:crypto';
import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { Kysely, Transaction } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { Caller } from '../auth/caller.ts';
import { assertPerson } from './assert-person.ts';
import { type MessageRow, NotificationMessagesRepository } from './messages.repository.ts';
import { NextMessageLook } from './next-message-look.ts';
import type {
  ChangeNotificationPreferencesDto,
  NotificationMessageDto,
  NotificationPreferencesDto,
} from './notification.dto.ts';
import type { NotificationChannel, NotificationKind } from './notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { NotifiedFindingsRepository } from './notified-findings.repository.ts';
import { NotificationPeopleRepository, type PersonRow } from './people.repository.ts';
import {
  addressProblem,
  NotificationSecretError,
  offeredChannels,
  SealedSettings,
  type SiteChannels,
} from './sealed-settings.service.ts';
import { nextCheck, sendingTimeAfterChange } from './sending-times.ts';

const TEST_INTERVAL_MS = 60_000;

/** What people choose. All throw ForbiddenException for API tokens. */
@Injectable()
export class NotificationPreferences {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly people: NotificationPeopleRepository,
    private readonly messages: NotificationMessagesRepository,
    private readonly settings: SealedSettings,
    private readonly nextLook: NextMessageLook,
  ) {}

  async get(caller: Caller): Promise<NotificationPreferencesDto> {
    assertPerson(caller);
    const row = await this.rowOf(caller.credentialId);
    const last = await this.messages.last(row.personId);
    const { site, problem } = await this.site();
    const address = this.addressOf(row);
    const { kinds, teams, schedule, timeZone, dailyAt, weekday, quiet, channel } = row;
    return {
      ...{ kinds: kinds as NotificationKind[], teams, schedule, timeZone, dailyAt, weekday, quiet, channel },
      address: address.text && shownAddress(channel!, address.text),
      offered: offeredChannels(site),
      problem:
        channel === null ? null : (problem ?? address.problem ?? problemOf(site, channel, address.text!)),
      nextMessageAt: isoTimeOrNull(row.nextMessageAt),
      lastMessage: last ? messageView(last) : null,
    };
  }

  /** @throws BadRequestException */
  async change(
    changes: ChangeNotificationPreferencesDto,
    caller: Caller,
  ): Promise<NotificationPreferencesDto> {
    assertPerson(caller);
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestException(
        'the body must contain kinds, teams, channel, address, schedule, timeZone, dailyAt, weekday or quiet',
      );
    }
    const { quiet: given } = changes;
    if (given && given.from === given.to) {
      throw new BadRequestException('quiet.to must differ from quiet.from; null: no quiet hours');
    }
    await this.rowOf(caller.credentialId);
    const { site } = await this.site();
    await this.db.transaction().execute((trx) => this.save(changes, caller.credentialId, site, trx));
    this.nextLook.wake();
    return this.get(caller);
  }

  /** @throws ConflictException */
  async test(caller: Caller): Promise<NotificationPreferencesDto> {
    assertPerson(caller);
    const { channel, problem } = await this.get(caller);
    if (channel === null) throw new ConflictException('there is no channel: choose one first');
    if (problem !== null) throw new ConflictException(problem);
    await this.db.transaction().execute(async (trx) => {
      // Others who ask for one wait.
      await new NotificationPeopleRepository(trx).lock(caller.credentialId);
      const messages = new NotificationMessagesRepository(trx);
      const now = this.now();
      if (await messages.hasTestAfter(caller.credentialId, now - TEST_INTERVAL_MS)) {
        throw new ConflictException('a test message was sent within the last minute: wait until then');
      }
      await messages.add({ id: randomUUID(), personId: caller.credentialId, isTest: true, createdAt: now });
    });
    this.nextLook.wake();
    return this.get(caller);
  }

  private async save(
    changes: ChangeNotificationPreferencesDto,
    personId: string,
    site: SiteChannels,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const people = new NotificationPeopleRepository(trx);
    const notifications = new NotificationsRepository(trx);
    const row = (await people.lock(personId))!;
    const now = this.now();
    const { channel = row.channel, address, quiet = row.quiet, ...given } = changes;
    const isKept = channel === row.channel && address === undefined;
    const content = isKept ? row.content : this.contentOf(channel, address, personId, site);
    if (channel === null) await notifications.doNotSend(personId);
    const ended = isKept
      ? []
      : await new NotificationMessagesRepository(trx).endPending(personId, 'the address was changed', now);
    const isLate = channel !== null && (await notifications.putBack(ended)) > 0;
    const { kinds = row.kinds, teams = row.teams, schedule = row.schedule, weekday = row.weekday } = given;
    const { timeZone = row.timeZone, dailyAt = row.dailyAt } = given;
    const times = { schedule, timeZone, dailyAt, weekday, quiet };
    const waits = channel !== null && (await notifications.waits(personId));
    // What the former address did not accept is late already: it waits for no further digest.
    const due = isLate ? ({ ...times, schedule: 'immediate' } as const) : times;
    await people.change(personId, {
      ...{ kinds, teams, channel, content, schedule, weekday },
      ...{ time_zone: timeZone, daily_at: dailyAt },
      ...{ quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null },
      // A look that is due is made at once; one in progress has another time, so that it has no effect.
      next_check_at: new Date(row.nextCheckAt <= now ? now : nextCheck(times, now)),
      next_message_at: waits ? new Date(sendingTimeAfterChange(row, due, now)) : null,
    });
    // The last look says nothing of the findings of other teams.
    if (given.teams !== undefined) await new NotifiedFindingsRepository(trx).replace(personId, []);
  }

  /** Sealed. @throws BadRequestException */
  private contentOf(
    channel: NotificationChannel | null,
    address: string | undefined,
    personId: string,
    site: SiteChannels,
  ): string | null {
    if (channel === null) {
      if (address === undefined) return null;
      throw new BadRequestException('address requires channel');
    }
    if (address === undefined) {
      throw new BadRequestException('address must be the address of the channel when channel changes');
    }
    const text = address.trim();
    const problem =
      channel === 'email' && !isEmail(text) ? 'an e-mail address' : addressProblem(site, channel, text);
    if (problem !== null) throw new BadRequestException(`address must be ${problem}`);
    return this.settings.sealAddress(personId, text);
  }

  private addressOf({ personId, content }: PersonRow): { text: string | null; problem: string | null } {
    if (content === null) return { text: null, problem: null };
    try {
      return { text: this.settings.openAddress(personId, content), problem: null };
    } catch (error) {
      if (error instanceof NotificationSecretError) return { text: null, problem: error.message };
      throw error;
    }
  }

  private async site(): Promise<{ site: SiteChannels; problem: string | null }> {
    try {
      const site = await this.settings.read();
      return { site, problem: site.isRestored ? RESTORED : null };
    } catch (error) {
      if (!(error instanceof NotificationSecretError)) throw error;
      return { site: { email: null, slackHosts: [], teamsHosts: [] }, problem: error.message };
    }
  }

  private async rowOf(personId: string): Promise<PersonRow> {
    const row = await this.people.find(personId);
    if (row) return row;
    await this.people.addMissing(this.now());
    return (await this.people.find(personId))!;
  }
}

/** Why nothing is sent. */
export const RESTORED =
  'the site is restored from a backup: an admin has to save the settings of notifications again';

function problemOf(site: SiteChannels, channel: NotificationChannel, address: string): string | null {
  const problem = addressProblem(site, channel, address);
  return problem && `the address must be ${problem}`;
}

const shownAddress = (channel: NotificationChannel, address: string): string =>
  channel === 'email' ? address : new URL(address).origin;

const messageView = ({ createdAt, status, attempts, answer }: MessageRow): NotificationMessageDto => ({
  ...{ at: isoTime(createdAt), status, attempts },
  message: answer?.message ?? null,
});
