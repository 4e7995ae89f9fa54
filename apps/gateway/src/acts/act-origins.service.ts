import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { EventSealer } from '#libs/sealing';
import type { Caller } from '../auth/caller.ts';
import { HourlyRemoval } from '../hourly-removal.ts';
import { SECURITY_EVENTS_DAYS } from '../security-events/security-events.service.ts';
import { LOGGER } from '../tokens.ts';
import { WaitingRows } from '../waiting-rows.ts';
import { type ActOrigin, ActOriginsRepository } from './act-origins.repository.ts';

const WRITE_INTERVAL_MS = 1_000;
/** Origins that wait while the database is unavailable. */
const WAITING_MAX = 5_000;
const ADDRESS_CHARACTERS_MAX = 64;

/** Records whence the requests with acts came; written within a second. */
@Injectable()
export class ActOrigins implements OnModuleInit, OnApplicationShutdown {
  private readonly rows: WaitingRows<ActOrigin>;

  constructor(
    origins: ActOriginsRepository,
    private readonly sealer: EventSealer,
    @Inject(SECURITY_EVENTS_DAYS) days: number,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const removal = new HourlyRemoval((at) => origins.removeOlderThan(days, at), now);
    this.rows = new WaitingRows({
      what: 'origins of acts',
      intervalMs: WRITE_INTERVAL_MS,
      max: WAITING_MAX,
      keyOf: ({ requestId, user, address, token }) => JSON.stringify([requestId, user, address, token]),
      // A request with several acts has one origin.
      add: () => {},
      write: (rows) => origins.add(rows),
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

  /** @throws KeysUnavailableError, SubjectKeyError */
  async note({ user, address, token, requestId }: Caller): Promise<void> {
    const at = this.now();
    const [storedUser, storedAddress] = await Promise.all([
      this.sealer.personal(user),
      this.sealer.personal(user, address.slice(0, ADDRESS_CHARACTERS_MAX)),
    ]);
    this.rows.take({ requestId, user: storedUser, address: storedAddress, token, at });
  }
}
