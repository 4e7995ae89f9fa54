import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Config, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type Egress, EgressError } from '#libs/egress';
import { TextOpener } from '#libs/sealing';
import { notificationAttempts } from '#libs/telemetry';
import { Holders } from '../auth/holder-rights.ts';
import { Periodic } from '../periodic.ts';
import { type Attempt, nextAttemptAt } from '../sending/attempt.ts';
import { CONFIG, EGRESS, LOGGER } from '../tokens.ts';
import { type ComposedMessage, composeMessage, LINES_MAX, TEST_MESSAGE } from './compose-message.ts';
import { type MessageRow, NotificationMessagesRepository } from './messages.repository.ts';
import { NextMessageLook } from './next-message-look.ts';
import { CHANNELS, type NotificationChannel } from './notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { NotificationPeopleRepository } from './people.repository.ts';
import { addressProblem, NotificationSecretError, SealedSettings } from './sealed-settings.service.ts';
import { sendMessage } from './send-message.ts';
import { afterQuiet } from './sending-times.ts';
import { NotifiedSubjectsRepository } from './subjects.repository.ts';

const LOOK_INTERVAL_MS = 2_000;
/** Longer than the slowest message. */
const LEASE_MS = 2 * 60_000;
const PLANNED_AT_ONCE = 20;

/** No attempt can succeed. */
class RefusedMessage extends Error {}

/**
 * Sends what waits for people as one message each, when it is due. Every gateway looks when something is due; the rows say what is taken. A message
 * is a row before it is sent, and has what its person may see at each attempt. A gateway sends one message at a time on
 * each channel, so that a mail server that does not answer does not delay the others.
 */
@Injectable()
export class NotificationSender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly looking: Periodic[];
  private readonly publicUrl: string | null;
  private started: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) { publicUrl }: Config,
    private readonly opener: TextOpener,
    private readonly holders: Holders,
    private readonly settings: SealedSettings,
    private readonly people: NotificationPeopleRepository,
    private readonly messages: NotificationMessagesRepository,
    private readonly notifications: NotificationsRepository,
    private readonly subjects: NotifiedSubjectsRepository,
    private readonly nextLook: NextMessageLook,
  ) {
    this.publicUrl = publicUrl ?? null;
    const failure = 'sending notifications failed, will retry';
    this.looking = CHANNELS.map(
      (channel) => new Periodic(LOOK_INTERVAL_MS, () => this.look(channel), failure, logger),
    );
  }

  onApplicationBootstrap(): void {
    this.started = Promise.all(this.looking.map((one) => one.start()));
  }

  /** Resolves when the messages in progress are aborted: they are sent again. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.looking.map((one) => one.stop()));
    await this.started;
  }

  private async look(channel: NotificationChannel): Promise<void> {
    if (this.clock.distrust) return;
    await this.nextLook.on(channel).ifDue(this.now(), () => this.workIfDue(channel));
  }

  /** Returns when something is due next, in epoch ms. */
  private async workIfDue(channel: NotificationChannel): Promise<number | null> {
    const next = await this.messages.nextWorkAt();
    if (next === null || next > this.now()) return next;
    await this.work(channel);
    return this.messages.nextWorkAt();
  }

  private async work(channel: NotificationChannel): Promise<void> {
    notificationAttempts.inc({ outcome: 'failed' }, await this.messages.endInterrupted(this.now()));
    while (!this.stopping.signal.aborted) {
      await this.plan();
      const now = this.now();
      const taken = await this.messages.take(channel, now, now + LEASE_MS);
      if (!taken) break;
      await this.attempt(taken);
    }
  }

  /** Everything that waits for a person becomes one message after quiet hours, in one transaction with its time. */
  private plan(): Promise<void> {
    return this.db.transaction().execute(async (trx) => {
      const [people, messages, notifications] = [
        new NotificationPeopleRepository(trx),
        new NotificationMessagesRepository(trx),
        new NotificationsRepository(trx),
      ];
      const now = this.now();
      for (const row of await people.lockDue(now, PLANNED_AT_ONCE)) {
        const { personId } = row;
        const at = afterQuiet(row, now);
        if (at > now) {
          await people.change(personId, { next_message_at: new Date(at) });
          continue;
        }
        if (await notifications.waits(personId)) {
          const id = randomUUID();
          await messages.add({ id, personId, isTest: false, createdAt: now });
          await notifications.assign(personId, id);
        }
        await people.change(personId, { next_message_at: null });
      }
    });
  }

  private async attempt(message: MessageRow): Promise<void> {
    try {
      const now = this.now();
      const at = await this.afterQuiet(message, now);
      if (at > now) return await this.messages.release(message, at);
      await this.settle(message, await this.sent(message));
    } catch (error) {
      const isAborted = error instanceof EgressError && error.failure === 'aborted';
      if (isAborted || this.stopping.signal.aborted) await this.messages.release(message, this.now());
      else await this.settle(message, this.failureOf(error as Error));
    }
  }

  /** The instant itself, or the end of the quiet hours of the person that it is in. A test is sent in them. */
  private async afterQuiet({ personId, isTest }: MessageRow, at: number): Promise<number> {
    const row = isTest ? undefined : await this.people.find(personId);
    return row ? afterQuiet(row, at) : at;
  }

  /** Null: there is nothing to send. @throws RefusedMessage, NotificationSecretError */
  private async sent(message: MessageRow): Promise<Attempt | null> {
    const row = await this.people.find(message.personId);
    const [person] = await this.holders.people({ ids: [message.personId], names: [] });
    if (!person || !row?.channel || row.content === null) {
      throw new RefusedMessage('the person is disabled, or has no channel');
    }
    const site = await this.settings.read();
    if (site.isRestored) {
      throw new RefusedMessage('the site is restored from a backup: an admin has to save the settings again');
    }
    const address = this.settings.openAddress(row.personId, row.content);
    const problem = addressProblem(site, row.channel, address);
    if (problem !== null) throw new RefusedMessage(`the address must be ${problem}`);
    const reader = {
      personId: person.id,
      scopes: person.scopes,
      rows: person.rows,
    };
    const composed = message.isTest ? TEST_MESSAGE : await this.composed(message, reader);
    if (composed === null) return null;
    return sendMessage(
      { id: message.id, channel: row.channel, address, composed },
      {
        ...{ egress: this.egress, clock: this.now, publicUrl: this.publicUrl, mail: site.email },
        signal: this.stopping.signal,
      },
    );
  }

  /** What is still unread and may be seen; null: nothing. */
  private async composed(
    { id }: MessageRow,
    reader: Parameters<NotificationsRepository['ofMessage']>[0],
  ): Promise<ComposedMessage | null> {
    const rows = await this.notifications.ofMessage(reader, id, LINES_MAX);
    const [newest] = rows;
    if (!newest) return null;
    const ids = rows.flatMap(({ findingIds }) => findingIds);
    const findings = await this.notifications.findingsOf(ids, reader.rows);
    const subjects = await this.subjects.of(rows, reader.rows);
    const seenLines = rows.map(({ findingIds, unread, ...row }) => {
      const seen = findingIds.find((finding) => findings.has(finding));
      return {
        ...row,
        finding: seen === undefined ? null : findings.get(seen)!,
        subject: subjects.get(row.id) ?? null,
      };
    });
    return composeMessage(await this.opener.value(seenLines), newest.unread);
  }

  private failureOf(error: Error): Attempt {
    const isFinal = error instanceof RefusedMessage;
    if (!isFinal) this.logger.warn({ err: error }, 'a message of notifications cannot be made');
    // Another gateway may have the previous key.
    const isShown = isFinal || error instanceof NotificationSecretError;
    const text = isShown ? error.message : 'the message cannot be made';
    const answer = { status: null, message: text, ms: 0 };
    return { outcome: isFinal ? 'refused' : 'failed', answer, retryAfterMs: null };
  }

  private async settle(message: MessageRow, sent: Attempt | null): Promise<void> {
    const now = this.now();
    if (sent === null) return this.messages.skip(message, now);
    const next = message.isTest ? null : nextAttemptAt(sent, message.attempts, now);
    const retryAt = next && (await this.afterQuiet(message, next));
    const outcome = await this.messages.settle(message, sent, now, retryAt);
    if (outcome) notificationAttempts.inc({ outcome });
  }
}
