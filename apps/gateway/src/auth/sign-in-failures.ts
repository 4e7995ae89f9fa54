import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { CLOCK, type Clock } from '#libs/config';
import { RetryLaterException } from '../http/http-errors.ts';
import { ExpiringMap } from './expiring-map.ts';

const WINDOW_MS = 15 * 60_000;
const REMEMBERED_MAX = 10_000;
/** Wrong passwords of one user name from one address, and of all names from it, within 15 minutes, in one process. */
const LIMITS = { user: 10, address: 100 };

interface Failures {
  count: number;
  until: number;
}

/** Counts failed sign-ins by user name and address, so that passwords cannot be guessed one after the other (D25). */
@Injectable()
export class SignInFailures {
  private readonly failures: ExpiringMap<Failures>;

  constructor(@Inject(CLOCK) private readonly now: Clock) {
    this.failures = new ExpiringMap(REMEMBERED_MAX, now);
  }

  /** @throws RetryLaterException (429) with the seconds until the count begins anew */
  assertBelowLimit(username: string, address: string): void {
    for (const [key, limit] of keysOf(username, address)) {
      const failures = this.failures.get(key);
      if (failures && failures.count >= limit) {
        throw new RetryLaterException(Math.ceil((failures.until - this.now()) / 1000), 'sign_in_failures');
      }
    }
  }

  note(username: string, address: string): void {
    for (const [key] of keysOf(username, address)) {
      const { count, until } = this.failures.get(key) ?? { count: 0, until: this.now() + WINDOW_MS };
      this.failures.set(key, { count: count + 1, until }, until);
    }
  }
}

function keysOf(username: string, address: string): [key: string, limit: number][] {
  const client = clientOf(address);
  return [
    [`${client} ${username}`, LIMITS.user],
    [client, LIMITS.address],
  ];
}

/** Whoever has an address of IPv6 has the others of its /64 as well. */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
