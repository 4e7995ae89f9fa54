import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { securityEvents } from '#libs/telemetry';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import { HourlyRemoval } from './retention.ts';
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
export class SecurityEvents implements OnModuleInit, OnModuleDestroy {
  private waiting = new Map<string, SecurityEventRow>();
  private storedApart = { minute: 0, keys: new Set<string>() };
  private lost = 0;
  private readonly removal: HourlyRemoval;
  private readonly writing: Periodic;

  constructor(
    private readonly events: SecurityEventsRepository,
    @Inject(SECURITY_EVENTS_DAYS) days: number,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.removal = new HourlyRemoval((at) => events.removeOlderThan(days, at), now);
    const write = () => this.write();
    this.writing = new Periodic(WRITE_INTERVAL_MS, write, 'storing security events failed', logger);
  }

  onModuleInit(): Promise<void> {
    return this.writing.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.writing.stop();
    await this.writing.round();
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
    this.take(this.isStoredApart(row) ? row : { ...row, user: '', token: '', address: '' });
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

  private take(row: SecurityEventRow): void {
    const key = keyOf(row);
    const alike = this.waiting.get(key);
    if (alike) {
      alike.count += row.count;
      alike.lastAt = Math.max(alike.lastAt, row.lastAt);
    } else if (this.waiting.size < WAITING_MAX) this.waiting.set(key, row);
    else this.lost += row.count;
  }

  private async write(): Promise<void> {
    const rows = this.waiting;
    this.waiting = new Map();
    try {
      if (rows.size > 0) await this.events.add([...rows.values()]);
    } catch (error) {
      const later = this.waiting;
      this.waiting = rows;
      for (const row of later.values()) this.take(row);
      throw error;
    }
    if (this.lost > 0) this.logger.warn({ lost: this.lost }, 'security events dropped: the queue is full');
    this.lost = 0;
    await this.removal.ifDue();
  }
}

const keyOf = ({ minute, kind, outcome, reason, user, token, address }: SecurityEventRow): string =>
  JSON.stringify([minute, kind, outcome, reason, user, token, address]);
