import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { securityEvents } from '#libs/telemetry';
import { HourlyRemoval } from '../hourly-removal.ts';
import { LOGGER } from '../tokens.ts';
import { WaitingRows } from '../waiting-rows.ts';
import type { SecurityEvent } from './security-event.ts';
import { type SecurityEventRow, SecurityEventsRepository } from './security-events.repository.ts';

/** Injects for how many days events are kept (`number`). */
export const SECURITY_EVENTS_DAYS = Symbol('SECURITY_EVENTS_DAYS');

const WRITE_INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;
/** Rows of a minute with user and address; further events are only counted by reason. */
const STORED_APART_MAX = 1_000;
/** Rows that wait while the database is unavailable. */
const WAITING_MAX = 5_000;
const ADDRESS_CHARACTERS_MAX = 64;

/** Records sign-ins and refused tokens: alike ones of a minute as one row, which is written within a second. */
@Injectable()
export class SecurityEvents implements OnModuleInit, OnApplicationShutdown {
  private storedApart = { minute: 0, keys: new Set<string>() };
  private readonly rows: WaitingRows<SecurityEventRow>;

  constructor(
    events: SecurityEventsRepository,
    @Inject(SECURITY_EVENTS_DAYS) days: number,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const removal = new HourlyRemoval((at) => events.removeOlderThan(days, at), now);
    this.rows = new WaitingRows({
      what: 'security events',
      intervalMs: WRITE_INTERVAL_MS,
      max: WAITING_MAX,
      keyOf,
      add: (waiting, { count, lastAt }) => {
        waiting.count += count;
        waiting.lastAt = Math.max(waiting.lastAt, lastAt);
      },
      write: (rows) => events.add(rows),
      afterwards: () => removal.ifDue(),
      logger,
    });
  }

  onModuleInit(): Promise<void> {
    return this.rows.start();
  }

  /** After the last request has ended: it can leave rows. */
  onApplicationShutdown(): Promise<void> {
    return this.rows.stop();
  }

  note({ kind, outcome, reason, user, token, address, requestId }: SecurityEvent): void {
    securityEvents.inc({ kind, reason: reason ?? 'none' });
    const at = this.now();
    const row: SecurityEventRow = {
      id: randomUUID(),
      minute: Math.floor(at / MINUTE_MS) * MINUTE_MS,
      at,
      lastAt: at,
      count: 1,
      kind,
      outcome,
      reason: reason ?? '',
      user: user ?? '',
      token: token ?? '',
      address: address.slice(0, ADDRESS_CHARACTERS_MAX),
      requestId,
    };
    this.rows.take(this.isStoredApart(row) ? row : { ...row, user: '', token: '', address: '' });
  }

  private isStoredApart(row: SecurityEventRow): boolean {
    const { minute } = row;
    if (this.storedApart.minute !== minute) this.storedApart = { minute, keys: new Set() };
    const { keys } = this.storedApart;
    const key = keyOf(row);
    if (!keys.has(key) && keys.size >= STORED_APART_MAX) return false;
    keys.add(key);
    return true;
  }
}

const keyOf = ({ minute, kind, outcome, reason, user, token, address }: SecurityEventRow): string =>
  JSON.stringify([minute, kind, outcome, reason, user, token, address]);
