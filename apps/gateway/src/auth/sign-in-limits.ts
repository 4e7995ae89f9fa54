import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { RetryLaterException } from '../http/http-errors.ts';
import { clientOf, siteOf } from './client-address.ts';
import { ExpiringMap } from './expiring-map.ts';

const WINDOW_MS = 15 * 60_000;
/** How long a client that has signed in as a user is known to be one of that user's. */
const KNOWN_MS = 24 * 3_600_000;
const REMEMBERED_MAX = 10_000;
/** While sign-ins in progress may yet turn out right. */
const RETRY_SECONDS = 2;
/** Wrong passwords within 15 minutes, in one process. */
const LIMITS = { ofUserAtClient: 10, ofUser: 100, ofClient: 100, ofSite: 300 };

interface Count {
  failed: number;
  underWay: number;
  /** When it begins again, in epoch milliseconds. */
  until: number;
}

interface Limit {
  counts: ExpiringMap<Count>;
  key: string;
  max: number;
}

/** A sign-in that is counted as failed until it is settled. */
export interface Reservation {
  /** `unknown`: it was not decided. */
  settle(password: 'right' | 'wrong' | 'unknown'): void;
}

/**
 * Bounds wrong passwords, so that none can be guessed (R-AUTH-8): of a user from a client, of a user from all clients, of a
 * client, and of a site, which has many clients. The bound of a user from all clients does not hold for clients that
 * have signed in as that user within a day: no other client can lock them out.
 */
@Injectable()
export class SignInLimits {
  private readonly ofUserAtClient: ExpiringMap<Count>;
  private readonly ofUser: ExpiringMap<Count>;
  private readonly ofClient: ExpiringMap<Count>;
  private readonly ofSite: ExpiringMap<Count>;
  /** Clients that a user has signed in from. */
  private readonly known: ExpiringMap<true>;
  /** Passwords that were tried above a limit. */
  private readonly guesses: ExpiringMap<Set<string>>;

  constructor(@Inject(CLOCK) private readonly now: Clock) {
    this.ofUserAtClient = new ExpiringMap(REMEMBERED_MAX, now);
    this.ofUser = new ExpiringMap(REMEMBERED_MAX, now);
    this.ofClient = new ExpiringMap(REMEMBERED_MAX, now);
    this.ofSite = new ExpiringMap(REMEMBERED_MAX, now);
    this.known = new ExpiringMap(REMEMBERED_MAX, now);
    this.guesses = new ExpiringMap(REMEMBERED_MAX, now);
  }

  /**
   * Counts a sign-in before its password is verified, so that no more are verified at once than may fail.
   * @throws RetryLaterException (429) with the seconds until the count begins again
   */
  reserve(username: string, address: string): Reservation {
    const limits = this.limitsOf(username, address);
    for (const limit of limits) this.assertBelow(limit);
    const counts = limits.map(({ counts, key }) => this.countOf(counts, key));
    for (const count of counts) count.underWay += 1;
    return {
      settle: (password) => {
        for (const count of counts) {
          count.underWay -= 1;
          if (password === 'wrong') count.failed += 1;
        }
        if (password === 'right') this.known.set(pair(username, address), true, this.now() + KNOWN_MS);
      },
    };
  }

  /**
   * Whether a password may be compared with recently verified ones, which is not counted. Behind a limit it may
   * for a client of the user's, so that a forgotten script does not lock out the others there; for ten passwords, so
   * that none can be guessed.
   * @param password stands for it
   */
  mayRemember(username: string, address: string, password: string): boolean {
    if (!this.limitsOf(username, address).some((limit) => this.isReached(limit))) return true;
    const key = pair(username, address);
    if (!this.known.get(key)) return false;
    const guesses = this.guesses.get(key) ?? new Set();
    if (guesses.has(password)) return true;
    if (guesses.size >= LIMITS.ofUserAtClient) return false;
    if (guesses.size === 0) this.guesses.set(key, guesses, this.now() + WINDOW_MS);
    guesses.add(password);
    return true;
  }

  private limitsOf(username: string, address: string): Limit[] {
    const [key, site] = [pair(username, address), siteOf(address)];
    return [
      { counts: this.ofUserAtClient, key, max: LIMITS.ofUserAtClient },
      { counts: this.ofClient, key: clientOf(address), max: LIMITS.ofClient },
      ...(site === null ? [] : [{ counts: this.ofSite, key: site, max: LIMITS.ofSite }]),
      ...(this.known.get(key) ? [] : [{ counts: this.ofUser, key: username, max: LIMITS.ofUser }]),
    ];
  }

  private isReached({ counts, key, max }: Limit): boolean {
    const { failed, underWay } = counts.get(key) ?? { failed: 0, underWay: 0 };
    return failed + underWay >= max;
  }

  private assertBelow(limit: Limit): void {
    if (!this.isReached(limit)) return;
    const { failed, until } = limit.counts.get(limit.key)!;
    const seconds = failed >= limit.max ? Math.ceil((until - this.now()) / 1000) : RETRY_SECONDS;
    throw new RetryLaterException(seconds, 'sign_in_failures');
  }

  private countOf(counts: ExpiringMap<Count>, key: string): Count {
    const found = counts.get(key);
    if (found) return found;
    const count = { failed: 0, underWay: 0, until: this.now() + WINDOW_MS };
    counts.set(key, count, count.until);
    return count;
  }
}

const pair = (username: string, address: string): string => `${clientOf(address)} ${username}`;
