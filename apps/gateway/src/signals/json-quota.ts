import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import pTimeout from 'p-timeout';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { RetryLaterException } from '../http/http-errors.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';

const MINUTE_MS = 60_000;
/** A lease is this part of the minute's quota: so much may go over it, once a minute. */
const LEASES_PER_MINUTE = 60;
const KEPT_MS = 60 * MINUTE_MS;
/** Uploads wait for a lease at most so long; the database may hang for longer than a minute. */
const LEASE_MS_MAX = 2_000;

/**
 * `jsonRequestsPerMinute` for the tenant, for any number of gateways (R-LIM-1): each leases a part of the minute's
 * quota in advance. While the database is unavailable or silent, each minute has the amount of the last one with it.
 */
@Injectable()
export class JsonQuota {
  private minute = 0;
  /** Requests that the current leases still cover. */
  private left = 0;
  private leased = 0;
  /** Of the last minute in which the database granted all leases; null before there is one. */
  private leasedBefore: number | null = null;
  private isSpent = false;
  private isAway = false;
  /** The database has not answered the last request for a lease; no other one waits for it. */
  private isSilent = false;
  private leasing: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Counts one request. @throws RetryLaterException (429) with the seconds until the next minute */
  async take(): Promise<void> {
    for (;;) {
      this.begin(this.currentMinute());
      if (this.left < this.leaseSize / 2) this.lease();
      if (this.left > 0) break;
      if (!this.leasing) throw new RetryLaterException(this.secondsLeft(), 'json_minute');
      await this.leasing;
    }
    this.left -= 1;
  }

  private begin(minute: number): void {
    if (minute === this.minute) return;
    if (this.leased > 0 && !this.isAway) this.leasedBefore = this.leased;
    Object.assign(this, { minute, left: 0, leased: 0, isSpent: false });
  }

  private lease(): void {
    if (this.isSpent) return;
    const { minute } = this;
    this.leasing ??= this.leaseIn(minute).finally(() => {
      this.leasing = undefined;
    });
  }

  private async leaseIn(minute: number): Promise<void> {
    const isGranted = await this.ask(minute);
    if (minute !== this.minute) return;
    this.isSpent = !isGranted;
    if (!isGranted) return;
    this.left += this.leaseSize;
    this.leased += this.leaseSize;
  }

  private async ask(minute: number): Promise<boolean> {
    if (this.isSilent) return this.isWithinOwn();
    this.isSilent = true;
    const asked = this.askDatabase(minute).finally(() => {
      this.isSilent = false;
    });
    try {
      const isGranted = await pTimeout(asked, { milliseconds: LEASE_MS_MAX });
      this.isAway = false;
      return isGranted;
    } catch (error) {
      if (!this.isAway)
        this.logger.warn(
          { err: error },
          'reading the shared quota of JSON signals failed: each gateway applies its own',
        );
      this.isAway = true;
      return this.isWithinOwn();
    }
  }

  private isWithinOwn(): boolean {
    return this.leased < (this.leasedBefore ?? this.settings().jsonRequestsPerMinute);
  }

  private async askDatabase(minute: number): Promise<boolean> {
    if (this.leased === 0) await this.forget();
    const { rows } = await sql`
      insert into json_leases as l (minute, leased) values (${new Date(minute)}, ${this.leaseSize})
      on conflict (minute) do update set leased = l.leased + excluded.leased
        where l.leased < ${this.settings().jsonRequestsPerMinute}
      returning leased`.execute(this.db);
    return rows.length === 1;
  }

  private async forget(): Promise<void> {
    await this.db
      .deleteFrom('json_leases')
      .where(sql<boolean>`minute < ${new Date(this.minute - KEPT_MS)}`)
      .execute();
  }

  private get leaseSize(): number {
    return Math.ceil(this.settings().jsonRequestsPerMinute / LEASES_PER_MINUTE);
  }

  private currentMinute(): number {
    return Math.floor(this.now() / MINUTE_MS) * MINUTE_MS;
  }

  private secondsLeft(): number {
    return Math.max(1, Math.ceil((this.minute + MINUTE_MS - this.now()) / 1000));
  }
}
