import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '#libs/config';
import { DATABASE_POOL, type DatabaseConnection, type DatabasePool } from '#libs/database';
import { UnavailableException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import type { Principal } from './access-tokens.ts';

const LOOK_INTERVAL_MS = 500;
/** A connection that answers later is given up for another one. */
const ANSWER_MS_MAX = 2_000;

/** `pg` knows it of a single query too; its types do not. */
type QueryWithTimeout = { text: string; query_timeout: number };

/**
 * The existing credentials, as of half a second ago: deleting or rotating one ends its tokens in every process. They
 * are read over a separate connection, which waits for no other statement. While the database is unavailable the known
 * ones stay valid.
 */
@Injectable()
export class KnownCredentials implements OnModuleInit, OnModuleDestroy {
  private generations: Map<string, number> | undefined;
  private connection: DatabaseConnection | undefined;
  private reading: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly looking: Periodic;

  constructor(
    @Inject(DATABASE_POOL) private readonly pool: DatabasePool,
    @Inject(LOGGER) logger: Logger,
  ) {
    const refresh = () => this.refresh();
    this.looking = new Periodic(LOOK_INTERVAL_MS, refresh, 'reading the credentials failed', logger);
  }

  onModuleInit(): Promise<void> {
    return this.looking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looking.stop();
    await this.reading;
    this.connection?.release();
    this.connection = undefined;
  }

  /**
   * Whether the credential is still there, with the password that the principal proved.
   * @throws UnavailableException (503) if the database has been unavailable since the start
   */
  async isCurrent(principal: Principal): Promise<boolean> {
    if (this.holds(principal)) return true;
    // Another process may have made or rotated it just now.
    await this.looking.round();
    if (!this.generations) throw new UnavailableException('the database is unavailable: retry later');
    return this.holds(principal);
  }

  /** Whether a credential that was current is known to be so no longer. */
  isRevoked(principal: Principal): boolean {
    return this.generations !== undefined && !this.holds(principal);
  }

  /** Reads them again, as of now at the earliest; concurrent callers share the result. */
  refresh(): Promise<void> {
    // The read in progress may have begun before the caller's change.
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      const read = this.read();
      this.reading = read.catch(() => undefined);
      return read;
    });
    return this.next;
  }

  private holds({ credentialId, generation }: Principal): boolean {
    return this.generations?.get(credentialId) === generation;
  }

  private async read(): Promise<void> {
    this.connection ??= await this.pool.connect();
    try {
      const { rows } = await this.connection.query<{ id: string; generation: number }>({
        text: 'select id, generation from credentials',
        query_timeout: ANSWER_MS_MAX,
      } as QueryWithTimeout);
      this.generations = new Map(rows.map(({ id, generation }) => [id, generation]));
    } catch (error) {
      this.connection.release(true);
      this.connection = undefined;
      throw error;
    }
  }
}
