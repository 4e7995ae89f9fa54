import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { ProjectionWaiter } from '../projection/projection-waiter.ts';
import { FoldLag } from './fold-lag.ts';
import { IdempotencyService, type UploadIdentity } from './idempotency.service.ts';
import { idempotencyKeyOf, preferredWait } from './upload-headers.ts';
import { type AppendedOffsets, UploadsLog } from './uploads-log.ts';

/** The common steps of the upload routes. */
export interface UploadRequest {
  caller: Caller;
  /** Header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Header `Prefer`. */
  prefer: string | undefined;
  /** Of everything that the outcome depends on. */
  bodySha256: () => Buffer;
}

/** Runs an upload under its identity and delays the answer if the client prefers to wait for the fold. */
@Injectable()
export class UploadRequests {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly waiter: ProjectionWaiter,
    private readonly lag: FoldLag,
    private readonly uploads: UploadsLog,
  ) {}

  /**
   * @throws RetryLaterException while the fold is too far behind
   * @throws AccessEndedException if the caller's access ended while the body came: nothing is appended
   */
  async answer<T>(
    request: UploadRequest,
    reply: FastifyReply,
    upload: (identity: UploadIdentity, appendedOffsets: AppendedOffsets) => Promise<T>,
  ): Promise<T> {
    this.lag.assertWithinLimit();
    const key = idempotencyKeyOf(request.idempotencyKey);
    const { credentialId, access } = request.caller;
    access.signal.throwIfAborted();
    const appendedOffsets: AppendedOffsets = new Map();
    let hasRun = false;
    const answer = await this.idempotency.run(
      { credentialId, key, bodySha256: request.bodySha256 },
      (identity) => {
        hasRun = true;
        return upload(identity, appendedOffsets);
      },
    );
    const seconds = preferredWait(request.prefer);
    if (seconds !== null && (await this.wait(hasRun ? appendedOffsets : null, seconds, access.signal))) {
      reply.header('preference-applied', `wait=${seconds}`);
    }
    return answer;
  }

  /** @param appendedOffsets null if an earlier attempt appended the upload: it is before the ends of the log */
  private async wait(
    appendedOffsets: AppendedOffsets | null,
    seconds: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const offsets = appendedOffsets ?? (await this.uploads.lastOffsets());
    return offsets !== null && this.waiter.wait(offsets, seconds, signal);
  }
}
