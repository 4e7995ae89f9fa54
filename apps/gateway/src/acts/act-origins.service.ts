import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { EventSealer } from '#libs/sealing';
import type { Caller } from '../auth/caller.ts';
import { Periodic } from '../periodic.ts';
import { HourlyRemoval } from '../security-events/retention.ts';
import { SECURITY_EVENTS_DAYS } from '../security-events/security-events.service.ts';
import { LOGGER } from '../tokens.ts';
import { type ActOrigin, ActOriginsRepository } from './act-origins.repository.ts';

const WRITE_INTERVAL_MS = 1_000;
/** Origins that wait while the database is unavailable. */
const WAITING_MAX = 5_000;
const ADDRESS_CHARACTERS_MAX = 64;

/** Records whence the requests with acts came; written within a second. */
@Injectable()
export class ActOrigins implements OnModuleInit, OnModuleDestroy {
  private waiting: ActOrigin[] = [];
  private lost = 0;
  private readonly removal: HourlyRemoval;
  private readonly writing: Periodic;

  constructor(
    private readonly origins: ActOriginsRepository,
    private readonly sealer: EventSealer,
    @Inject(SECURITY_EVENTS_DAYS) days: number,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.removal = new HourlyRemoval((at) => origins.removeOlderThan(days, at), now);
    this.writing = new Periodic(
      WRITE_INTERVAL_MS,
      () => this.write(),
      'storing origins of acts failed',
      logger,
    );
  }

  onModuleInit(): Promise<void> {
    return this.writing.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.writing.stop();
    await this.writing.round();
  }

  /** @throws KeysUnavailableError, SubjectKeyError */
  async note({ user, address, token, requestId }: Caller): Promise<void> {
    const at = this.now();
    const [storedUser, storedAddress] = await Promise.all([
      this.sealer.personal(user),
      this.sealer.personal(user, address.slice(0, ADDRESS_CHARACTERS_MAX)),
    ]);
    this.take([{ requestId, user: storedUser, address: storedAddress, token, at }]);
  }

  private take(origins: ActOrigin[]): void {
    const free = Math.max(WAITING_MAX - this.waiting.length, 0);
    this.waiting.push(...origins.slice(0, free));
    this.lost += Math.max(origins.length - free, 0);
  }

  private async write(): Promise<void> {
    const origins = this.waiting;
    this.waiting = [];
    try {
      if (origins.length > 0) await this.origins.add(origins);
    } catch (error) {
      const later = this.waiting;
      this.waiting = origins;
      this.take(later);
      throw error;
    }
    if (this.lost > 0) this.logger.warn({ lost: this.lost }, 'origins of acts dropped: the queue is full');
    this.lost = 0;
    await this.removal.ifDue();
  }
}
