import type { ThrottleReason } from '#libs/telemetry';
import { RetryLaterException } from './http-errors.ts';

export interface SharesOptions {
  /** At a time, in this process. */
  max: number;
  /** Of those, one credential's. */
  ofACredential: number;
  retrySeconds: number;
  /** For the metrics. */
  reason: ThrottleReason;
}

/** Bounds how much of one kind is in progress, and how much of that one credential may hold. */
export class Shares {
  private taken = 0;
  private readonly ofEach = new Map<string, number>();

  constructor(private readonly options: SharesOptions) {}

  /**
   * Returns a function that frees the place, once.
   * @throws RetryLaterException (429) if this credential, or all together, have as many as they may
   */
  take(credentialId: string): () => void {
    const { retrySeconds, reason } = this.options;
    if (!this.has(credentialId)) throw new RetryLaterException(retrySeconds, reason);
    this.taken += 1;
    this.ofEach.set(credentialId, this.ownOf(credentialId) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.free(credentialId);
      isTaken = false;
    };
  }

  /** Whether a credential may have a further place. */
  has(credentialId: string): boolean {
    const { max, ofACredential } = this.options;
    return this.taken < max && this.ownOf(credentialId) < ofACredential;
  }

  private ownOf(credentialId: string): number {
    return this.ofEach.get(credentialId) ?? 0;
  }

  private free(credentialId: string): void {
    this.taken -= 1;
    const left = this.ownOf(credentialId) - 1;
    if (left > 0) this.ofEach.set(credentialId, left);
    else this.ofEach.delete(credentialId);
  }
}
