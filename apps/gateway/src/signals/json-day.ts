import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { RetryLaterException } from '../http/http-errors.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';

const HOUR_MS = 3_600_000;
/** How long an hour counts, from its beginning: until what came last in it is 24 hours old. */
const COUNTED_MS = 25 * HOUR_MS;
const SHARE_INTERVAL_MS = 5_000;
/** More than these belong into ZIPs (R-LIM-2). */
const SIGNALS_A_DAY = 100;

const ADVICE = `this credential sent more than ${SIGNALS_A_DAY} JSON signals within 24 hours: send signals as ZIP files to POST /api/v3/signals/zip`;

/** Signals by the hour that they came in, in epoch milliseconds. */
type Hours = Map<number, number>;

/**
 * Counts the JSON signals of each credential over a rolling 24 hours, together with the other gateways, which learn of
 * each other's every 5 seconds. It counts by clock hours, so each signal for up to an hour longer, never shorter.
 */
@Injectable()
export class JsonDay implements OnModuleInit, OnApplicationShutdown {
  /** Credential → the known counts: of all gateways, of this one that are being written, and of this one since. */
  private shared = new Map<string, Hours>();
  private leaving = new Map<string, Hours>();
  private own = new Map<string, Hours>();
  /** Credential → signals that are being taken. */
  private readonly underWay = new Map<string, number>();
  private readonly sharing: Periodic;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const share = () => this.share();
    this.sharing = new Periodic(
      SHARE_INTERVAL_MS,
      share,
      'sharing the counts of JSON signals failed',
      logger,
    );
  }

  onModuleInit(): Promise<void> {
    return this.sharing.start();
  }

  /** After the last request has ended: it counts too. */
  async onApplicationShutdown(): Promise<void> {
    await this.sharing.stop();
    await this.sharing.round();
  }

  /**
   * Takes a signal, and counts it if `take` does not fail; adds advice to its response if there were more than 100.
   * Requests in progress are counted, so that no more are accepted at once.
   * @throws RetryLaterException (429) if `jsonDailyPolicy` is `enforce` and the credential has sent its 100; errors of
   *   `take`
   */
  async run<T extends object>(
    credentialId: string,
    take: () => Promise<T>,
  ): Promise<T & { advice?: string }> {
    const before = this.underWay.get(credentialId) ?? 0;
    this.assertPlace(credentialId, before);
    this.underWay.set(credentialId, before + 1);
    try {
      const answer = await take();
      addAll(this.own, credentialId, new Map([[this.hour(), 1]]));
      return this.count(credentialId) > SIGNALS_A_DAY ? { ...answer, advice: ADVICE } : answer;
    } finally {
      this.leave(credentialId);
    }
  }

  private assertPlace(credentialId: string, underWay: number): void {
    if (this.settings().jsonDailyPolicy !== 'enforce') return;
    if (this.count(credentialId) + underWay < SIGNALS_A_DAY) return;
    throw new RetryLaterException(this.secondsUntilFewer(credentialId), 'json_day');
  }

  private leave(credentialId: string): void {
    const left = this.underWay.get(credentialId)! - 1;
    if (left > 0) this.underWay.set(credentialId, left);
    else this.underWay.delete(credentialId);
  }

  private hour(): number {
    return Math.floor(this.now() / HOUR_MS) * HOUR_MS;
  }

  private count(credentialId: string): number {
    return this.hoursOf(credentialId).reduce((sum, [, signals]) => sum + signals, 0);
  }

  private hoursOf(credentialId: string): [hour: number, signals: number][] {
    const since = this.now() - COUNTED_MS;
    return [this.shared, this.leaving, this.own]
      .flatMap((counts) => [...(counts.get(credentialId) ?? [])])
      .filter(([hour]) => hour > since);
  }

  private secondsUntilFewer(credentialId: string): number {
    const oldest = Math.min(this.hour(), ...this.hoursOf(credentialId).map(([hour]) => hour));
    return Math.max(1, Math.ceil((oldest + COUNTED_MS - this.now()) / 1000));
  }

  private async share(): Promise<void> {
    for (const [id, hours] of this.own) addAll(this.leaving, id, hours);
    this.own = new Map();
    await this.write(this.leaving);
    for (const [id, hours] of this.leaving) addAll(this.shared, id, hours);
    this.leaving = new Map();
    this.shared = await this.read();
  }

  private async write(taken: Map<string, Hours>): Promise<void> {
    const rows = [...taken].flatMap(([credential_id, hours]) =>
      [...hours].map(([hour, signals]) => ({ credential_id, hour: new Date(hour), signals })),
    );
    if (rows.length === 0) return;
    // Both or neither: counts that are not written, or not known to be, are written again in the next round.
    await this.db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('json_signals')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['credential_id', 'hour'])
            .doUpdateSet({ signals: sql`json_signals.signals + excluded.signals` }),
        )
        .execute();
      await transaction
        .deleteFrom('json_signals')
        .where(sql<boolean>`hour <= ${new Date(this.now() - COUNTED_MS)}`)
        .execute();
    });
  }

  private async read(): Promise<Map<string, Hours>> {
    const rows = await this.db.selectFrom('json_signals').selectAll().execute();
    const counts = new Map<string, Hours>();
    for (const { credential_id, hour, signals } of rows)
      addAll(counts, credential_id, new Map([[hour, signals]]));
    return counts;
  }
}

function addAll(counts: Map<string, Hours>, credentialId: string, added: Hours): void {
  const hours = counts.get(credentialId) ?? new Map<number, number>();
  for (const [hour, signals] of added) hours.set(hour, (hours.get(hour) ?? 0) + signals);
  counts.set(credentialId, hours);
}
