import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { RetryLaterException } from '../http/http-errors.ts';

/** OWASP's argon2id parameters (19 MiB, two passes): about 25 ms of one core. The package's default is argon2id. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING_MAX = 64;
/** A full queue is worked off in about this time. */
const RETRY_SECONDS = 2;

/** Argon2id off the event loop, one at a time, so that a burst of sign-ins leaves a core to uploads (D25). */
@Injectable()
export class PasswordHasher {
  private readonly oneAtATime = pLimit(1);

  /** @throws RetryLaterException (429) where 64 others wait already */
  hash(password: string): Promise<string> {
    return this.enqueue(() => hash(password, ARGON2));
  }

  /** @throws RetryLaterException (429) where 64 others wait already */
  verify(passwordHash: string, password: string): Promise<boolean> {
    return this.enqueue(() => verify(passwordHash, password));
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.oneAtATime.pendingCount >= WAITING_MAX)
      throw new RetryLaterException(RETRY_SECONDS, 'sign_in_queue');
    return this.oneAtATime(work);
  }
}
