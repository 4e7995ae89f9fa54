import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Kysely, Transaction } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type Assignee, assigneeOf, DAY_MS, type OwnerRule, settingsInForce } from '#libs/domain';
import { EventSealer } from '#libs/sealing';
import { NextActLook } from '../acts/next-act-look.ts';
import { Holders } from '../auth/holder-rights.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';
import { type ActedFindingRow, type ActRow, AuditReadingRepository } from './audit-reading.repository.ts';
import { DueLooks } from './due-looks.service.ts';
import { NotificationMessagesRepository } from './messages.repository.ts';
import { NextMessageLook } from './next-message-look.ts';
import type { NewNotification, Person } from './notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { NotifiedFindingsRepository } from './notified-findings.repository.ts';
import { NotificationPeopleRepository, type PersonRow } from './people.repository.ts';
import { nextCheck, sendingTime } from './sending-times.ts';
import { type ActedFinding, gathered, kindFor, NOTIFYING_ACTIONS, namesIn } from './who-is-notified.ts';

const LOOK_INTERVAL_MS = 2_000;
const ACTS_AT_ONCE = 500;
/** Milliseconds. Older acts notify no user, such as acts of a log that was moved here. */
const ACT_AGE_MS_MAX = 7 * DAY_MS;
const KEPT_MS = 90 * DAY_MS;
const TIDY_INTERVAL_MS = 10 * 60_000;

/**
 * Writes notifications: of acts in the audit trail, in one transaction with the position that it has been read to, and once a
 * day for each person of due dates. Every gateway looks after its own acts and when something is due; the rows say what is taken.
 */
@Injectable()
export class NotificationWriter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly looking: Periodic;
  private started: Promise<void> = Promise.resolve();
  private tidiedAt = Number.NEGATIVE_INFINITY;
  private isStopping = false;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) logger: Logger,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    private readonly sealer: EventSealer,
    private readonly holders: Holders,
    private readonly audit: AuditReadingRepository,
    private readonly people: NotificationPeopleRepository,
    private readonly notifications: NotificationsRepository,
    private readonly messages: NotificationMessagesRepository,
    private readonly dueLooks: DueLooks,
    private readonly nextLook: NextActLook,
    private readonly nextMessageLook: NextMessageLook,
  ) {
    const failure = 'writing notifications failed, will retry';
    this.looking = new Periodic(LOOK_INTERVAL_MS, () => this.look(), failure, logger);
  }

  onApplicationBootstrap(): void {
    this.started = this.looking.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await this.looking.stop();
    await this.started;
  }

  private async look(): Promise<void> {
    if (this.clock.distrust) return;
    if (performance.now() - this.tidiedAt >= TIDY_INTERVAL_MS) await this.tidy();
    await this.nextLook.ifDue(this.now(), () => this.workIfDue());
  }

  /** Returns when something is due next, in epoch ms. */
  private async workIfDue(): Promise<number | null> {
    const { partitions, nextCheckAt } = await this.audit.work();
    // A partition or a person that fails keeps no other waiting.
    const failures: unknown[] = [];
    for (const partition of partitions) {
      try {
        while (!this.isStopping && (await this.readActs(partition)));
      } catch (error) {
        failures.push(error);
      }
    }
    const now = this.now();
    const isCheckDue = nextCheckAt !== null && nextCheckAt <= now;
    if (isCheckDue) failures.push(...(await this.checkAll()));
    if (failures.length > 0) throw failures[0];
    // Another gateway may not have ended what it had taken.
    if (partitions.length > 0 || isCheckDue || this.nextLook.isFoldExpected) return now;
    return nextCheckAt;
  }

  private async tidy(): Promise<void> {
    await this.people.addMissing(this.now());
    const before = this.now() - KEPT_MS;
    const removed = (await this.notifications.prune(before)) + (await this.messages.prune(before));
    if (removed === 0) this.tidiedAt = performance.now();
  }

  /** Reads some acts of a partition. Returns whether there are more. */
  private async readActs(partition: number): Promise<boolean> {
    const hasMore = await this.db.transaction().execute(async (trx) => {
      const audit = new AuditReadingRepository(trx);
      const position = await audit.lock(partition);
      if (position === undefined) return false;
      const acts = await audit.read(partition, position, ACTS_AT_ONCE);
      if (acts.length === 0) return false;
      const since = this.now() - ACT_AGE_MS_MAX;
      const notifying = acts.filter(
        ({ action, at, isRefused }) => !isRefused && at > since && NOTIFYING_ACTIONS.includes(action),
      );
      if (notifying.length > 0) await this.notifyOf(notifying, partition, trx);
      await audit.setPosition(partition, acts.at(-1)!.logOffset);
      return acts.length === ACTS_AT_ONCE;
    });
    this.nextMessageLook.wake();
    return hasMore;
  }

  private async notifyOf(
    acts: readonly ActRow[],
    partition: number,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { ownerRules } = settingsInForce(this.settings());
    const ids = [...new Set(acts.map(({ target }) => target))];
    const rows = await new AuditReadingRepository(trx).findings(ids, ownerRules);
    // Throws if a key cannot be read: the acts are read again, or a person would never be notified of them.
    const [opened, openedRows] = await Promise.all([this.sealer.open(acts), this.sealer.open(rows)]);
    const rules = await this.sealer.open(ownerRules);
    const findings = new Map(openedRows.map((row) => [row.id, actedFinding(row, rules)]));
    const names = opened.flatMap((act) => {
      const finding = findings.get(act.target);
      return finding ? [namesIn(act, finding)] : [];
    });
    const people = await this.peopleOf(
      names.flatMap(({ users }) => users),
      names.flatMap(({ teams }) => teams),
      trx,
    );
    const notifications = opened.flatMap((act, i) => {
      const finding = findings.get(act.target);
      return finding
        ? people.flatMap((person) => notificationOf(act, acts[i]!, finding, person, partition))
        : [];
    });
    await this.store(gathered(notifications), people, trx, () => this.now());
  }

  /** People with these user names, and those who follow these teams. */
  private async peopleOf(
    names: readonly string[],
    teams: readonly string[],
    trx: Transaction<Schema>,
  ): Promise<(Person & { row: PersonRow })[]> {
    const stored = new NotificationPeopleRepository(trx);
    const followers = await stored.followersOf([...new Set(teams)]);
    const holding = await this.holders.people({ ids: followers, names: [...new Set(names)] });
    const idsOf = holding.map(({ id }) => id);
    let rows = await stored.findAll(idsOf);
    if (rows.length < holding.length) {
      await stored.addMissing(this.now());
      rows = await stored.findAll(idsOf);
    }
    const byId = new Map(rows.map((row) => [row.personId, row]));
    return holding.flatMap(({ id, name, scopes, rows: limits }) => {
      const row = byId.get(id);
      if (!row) return [];
      const { kinds, teams: followed } = row;
      return [
        { id, name, canReadFindings: scopes.has('findings:read'), rows: limits, kinds, teams: followed, row },
      ];
    });
  }

  /** @param happenedAt what the time of the message of a person follows from, epoch ms */
  private async store(
    notifications: readonly NewNotification[],
    people: readonly { id: string; row: PersonRow }[],
    trx: Transaction<Schema>,
    happenedAt: (row: PersonRow) => number,
  ): Promise<void> {
    const notified = new Set(notifications.map(({ personId }) => personId));
    const toSend = people.filter(({ id, row }) => notified.has(id) && row.channel !== null);
    await new NotificationsRepository(trx).add(notifications, new Set(toSend.map(({ id }) => id)));
    const stored = new NotificationPeopleRepository(trx);
    for (const { id, row } of toSend) await stored.wakeAt(id, sendingTime(row, happenedAt(row)));
  }

  /** Looks at the due dates of everybody whose turn it is. Returns why some looks failed. */
  private async checkAll(): Promise<unknown[]> {
    const failed = new Map<string, unknown>();
    while (!this.isStopping) {
      const row = await this.people.dueForCheck(this.now(), [...failed.keys()]);
      if (!row) break;
      try {
        await this.check(row);
      } catch (error) {
        failed.set(row.personId, error);
      }
    }
    return [...failed.values()];
  }

  private async check(row: PersonRow): Promise<void> {
    const now = this.now();
    const [person] = await this.holders.people({ ids: [row.personId], names: [] });
    const looks = person?.scopes.has('findings:read') ? await this.dueLooks.look(person, row, now) : [];
    await this.db.transaction().execute(async (trx) => {
      const isOurs = await new NotificationPeopleRepository(trx).setChecked(row, now, nextCheck(row, now));
      if (!isOurs) return;
      await new NotifiedFindingsRepository(trx).replace(row.personId, looks);
      await this.store(
        looks.flatMap(({ notification }) => notification ?? []),
        [{ id: row.personId, row }],
        trx,
        // The digest of the time of the look contains what it finds, however late it is.
        ({ nextCheckAt }) => nextCheckAt - 1,
      );
    });
    this.nextMessageLook.wake();
  }
}

/** @param stored the same act with names as they are stored */
function notificationOf(
  act: ActRow,
  stored: ActRow,
  finding: ActedFinding,
  person: Person,
  partition: number,
): NewNotification[] {
  const kind = kindFor(act, finding, person);
  if (kind === null) return [];
  const { at, target } = act;
  const key = `${kind}:${stored.requestId === null ? `${partition}-${stored.logOffset}` : requestKey(stored)}`;
  return [{ personId: person.id, key, kind, at, by: stored.user, findings: 1, findingIds: [target] }];
}

/**
 * The same for all acts of a request, such as those of a bulk act, which have one time. The id alone is the client's choice,
 * and can be that of many requests. A digest: the key keeps no user name.
 */
const requestKey = ({ requestId, user, at }: ActRow): string =>
  createHash('sha256')
    .update(JSON.stringify([requestId, user, at]))
    .digest('base64url');

function actedFinding(
  { assignee, rule, department, location }: ActedFindingRow,
  rules: readonly OwnerRule[],
): ActedFinding {
  const owner = rule === null ? null : assigneeOf(rules[rule]!);
  return { department, location, assignee: assignee === null ? owner : assigneeOfKey(assignee) };
}

/** As `assigneeKey` writes it. */
function assigneeOfKey(key: string): Assignee {
  const name = key.slice(key.indexOf(':') + 1);
  return key.startsWith('user:') ? { user: name } : { team: name };
}
