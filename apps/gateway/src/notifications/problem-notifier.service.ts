import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Kysely, Transaction } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { Holders } from '../auth/holder-rights.ts';
import { NextLook } from '../next-look.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import { NextMessageLook } from './next-message-look.ts';
import type { NewSubjectNotification } from './notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { NotificationPeopleRepository, type PersonRow } from './people.repository.ts';
import { type ProblemChanges, problemChanges } from './problem.ts';
import { NotifiedProblemsRepository } from './problems.repository.ts';
import { sendingTime } from './sending-times.ts';
import { NotifiedSubjectsRepository, scopeOfSubject } from './subjects.repository.ts';

const INTERVAL_MS = 500;
/** How long a problem may be unnoticed. */
const LOOK_EVERY_MS = 30_000;
/** Milliseconds. Older problems notify no user, for example after an upgrade to the first version with notifications. */
const PROBLEM_AGE_MS_MAX = 7 * 86_400_000;
const PEOPLE_AT_ONCE = 500;

/**
 * Notifies of failing syncs, stopped webhooks, and reports that were not sent, those who can mend them. Collectors and other
 * gateways write these states; a gateway compares them with what has been notified. In one transaction with the notifications,
 * and one gateway at a time, so that a problem notifies once.
 */
@Injectable()
export class ProblemNotifier implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly looking: Periodic;
  private readonly nextLook = new NextLook();
  private started: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) logger: Logger,
    private readonly holders: Holders,
    private readonly problems: NotifiedProblemsRepository,
    private readonly nextMessageLook: NextMessageLook,
  ) {
    const failure = 'looking for problems to notify failed, will retry';
    this.looking = new Periodic(INTERVAL_MS, () => this.look(), failure, logger);
  }

  onApplicationBootstrap(): void {
    this.started = this.looking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looking.stop();
    await this.started;
  }

  private async look(): Promise<void> {
    if (this.clock.distrust) return;
    await this.nextLook.ifDue(this.now(), async () => {
      await this.compare();
      return this.now() + LOOK_EVERY_MS;
    });
  }

  private async compare(): Promise<void> {
    if (isNone(await this.changes(this.problems))) return;
    await this.db.transaction().execute(async (trx) => {
      const problems = new NotifiedProblemsRepository(trx);
      if (!(await problems.lock())) return;
      await this.notify(await this.changes(problems), trx);
    });
    this.nextMessageLook.wake();
  }

  private async changes(problems: NotifiedProblemsRepository): Promise<ProblemChanges> {
    const [present, notified] = [await problems.present(), await problems.notified()];
    return problemChanges(present, notified, this.now());
  }

  private async notify({ begun, ended }: ProblemChanges, trx: Transaction<Schema>): Promise<void> {
    const problems = new NotifiedProblemsRepository(trx);
    const now = this.now();
    await new NotificationPeopleRepository(trx).addMissing(now);
    for (const problem of begun) {
      const { kind, subjectId, cause, at } = problem;
      await problems.begin(problem, now);
      if (at < now - PROBLEM_AGE_MS_MAX) continue;
      await this.write({ key: `${kind}:${subjectId}:${cause}`, kind, at: now, subjectId }, trx);
    }
    for (const problem of ended) {
      const { kind, subjectId, cause } = problem;
      await problems.end(problem);
      if (kind !== 'syncFailed' || !(await problems.works(subjectId))) continue;
      const key = `syncRecovered:${subjectId}:${cause}`;
      await this.write({ key, kind: 'syncRecovered', at: now, subjectId }, trx);
    }
  }

  /** To everybody who wants it and may see it. */
  private async write(notification: NewSubjectNotification, trx: Transaction<Schema>): Promise<void> {
    const people = new NotificationPeopleRepository(trx);
    for (let after: string | null = null; ; ) {
      const rows: PersonRow[] = await people.notifiedBy(notification.kind, after, PEOPLE_AT_ONCE);
      const notified = await this.whoSees(rows, notification, trx);
      const added = await new NotificationsRepository(trx).addForEach(
        notification,
        notified.map(({ personId, channel }) => ({ personId, isToSend: channel !== null })),
      );
      for (const row of notified) {
        if (row.channel === null || !added.has(row.personId)) continue;
        await people.wakeAt(row.personId, sendingTime(row, notification.at));
      }
      if (rows.length < PEOPLE_AT_ONCE) return;
      after = rows.at(-1)!.personId;
    }
  }

  private async whoSees(
    rows: readonly PersonRow[],
    { kind, subjectId }: NewSubjectNotification,
    trx: Transaction<Schema>,
  ): Promise<PersonRow[]> {
    const holding = await this.holders.people({ ids: rows.map(({ personId }) => personId), names: [] });
    const subjects = new NotifiedSubjectsRepository(trx);
    const ids = new Set<string>();
    for (const { id, scopes, rows: limits } of holding) {
      if (!scopes.has(scopeOfSubject(kind))) continue;
      if (await subjects.isVisible({ personId: id, scopes, rows: limits }, kind, subjectId)) ids.add(id);
    }
    return rows.filter(({ personId }) => ids.has(personId));
  }
}

const isNone = ({ begun, ended }: ProblemChanges): boolean => begun.length + ended.length === 0;
