import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { FoldLag } from './fold-lag.ts';
import { IdempotencyService, type UploadIdentity } from './idempotency.service.ts';
import { ProjectionWaiter } from './projection-waiter.ts';
import { idempotencyKeyOf, preferredWait } from './upload-headers.ts';
import { type Reached, UploadsLog } from './uploads-log.ts';

/** What the upload routes have in common. */
export interface UploadRequest {
  caller: Caller;
  /** Header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Header `Prefer`. */
  prefer: string | undefined;
  /** Of everything that the outcome depends on. */
  bodySha256: () => Buffer;
}

/** Runs an upload under its identity and holds the answer where the client prefers to wait for the fold (D17). */
@Injectable()
export class UploadRequests {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly waiter: ProjectionWaiter,
    private readonly lag: FoldLag,
    private readonly uploads: UploadsLog,
  ) {}

  /**
   * @throws RetryLaterException while the fold is too far behind (D19)
   * @throws AccessEndedException where the caller's access ended while the body came: nothing is appended
   */
  async answer<T>(
    request: UploadRequest,
    reply: FastifyReply,
    upload: (identity: UploadIdentity, reached: Reached) => Promise<T>,
  ): Promise<T> {
    this.lag.assertWithinLimit();
    const key = idempotencyKeyOf(request.idempotencyKey);
    const { credentialId, access } = request.caller;
    access.signal.throwIfAborted();
    const reached: Reached = new Map();
    let hasRun = false;
    const answer = await this.idempotency.run(
      { credentialId, key, bodySha256: request.bodySha256 },
      (identity) => {
        hasRun = true;
        return upload(identity, reached);
      },
    );
    const seconds = preferredWait(request.prefer);
    if (seconds !== null && (await this.wait(hasRun ? reached : null, seconds, access.signal))) {
      reply.header('preference-applied', `wait=${seconds}`);
    }
    return answer;
  }

  /** @param reached null where an earlier attempt has appended the upload: it is somewhere before the ends of the log */
  private async wait(reached: Reached | null, seconds: number, signal: AbortSignal): Promise<boolean> {
    const offsets = reached ?? (await this.uploads.lastOffsets());
    return offsets !== null && this.waiter.wait(offsets, seconds, signal);
  }
}
