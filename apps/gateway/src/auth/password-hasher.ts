import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { RetryLaterException } from '../http/http-errors.ts';

/** OWASP's argon2id parameters (19 MiB, two passes): about 25 ms of one core. The package's default is argon2id. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING_MAX = 64;
/** A full queue is worked off in about this time. */
const RETRY_SECONDS = 2;

/**
 * Argon2id off the event loop, one sign-in at a time, so that a burst of them leaves a core to uploads. New passwords
 * have a separate queue: an admin can create credentials during a burst of sign-ins.
 */
@Injectable()
export class PasswordHasher {
  private readonly signIns = pLimit(1);
  private readonly newPasswords = pLimit(1);

  /** @throws RetryLaterException (429) if 64 others wait already */
  hash(password: string): Promise<string> {
    return enqueue(this.newPasswords, () => hash(password, ARGON2));
  }

  /** @throws RetryLaterException (429) if 64 others wait already */
  verify(passwordHash: string, password: string): Promise<boolean> {
    return enqueue(this.signIns, () => verify(passwordHash, password));
  }
}

function enqueue<T>(queue: LimitFunction, work: () => Promise<T>): Promise<T> {
  if (queue.pendingCount >= WAITING_MAX) throw new RetryLaterException(RETRY_SECONDS, 'sign_in_queue');
  return queue(work);
}
