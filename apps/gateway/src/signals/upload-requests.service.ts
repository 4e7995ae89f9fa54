import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EventSealer, personName, TextOpener } from '#libs/sealing';
import { KeysUnavailableError } from '#libs/subject-keys';
import type { Caller } from '../auth/caller.ts';
import { ProjectionWaiter } from '../projection/projection-waiter.ts';
import { FoldLag } from './fold-lag.ts';
import { type AssertSame, IdempotencyService, type UploadIdentity } from './idempotency.service.ts';
import { idempotencyKeyOf, preferredWait } from './upload-headers.ts';
import { type AppendedOffsets, UploadsLog } from './uploads-log.ts';

/** The common steps of the upload routes. */
export interface UploadRequest {
  caller: Caller;
  /** Header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Header `Prefer`. */
  prefer: string | undefined;
  /** Of everything in the request that the outcome depends on. */
  bodySha256: () => Buffer;
  /** Of the settings in force; null for one signal: it is one event under any settings. */
  settingsVersion: number | null;
  /** Runs when the log has the upload, before a wait for the fold: gives back what only the upload needs. */
  onStored?: () => void | Promise<void>;
}

/** Runs an upload under its identity and delays the answer if the client prefers to wait for the fold. */
@Injectable()
export class UploadRequests {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly waiter: ProjectionWaiter,
    private readonly lag: FoldLag,
    private readonly uploads: UploadsLog,
    private readonly sealer: EventSealer,
    private readonly opener: TextOpener,
  ) {}

  /**
   * @throws RetryLaterException while the fold is too far behind
   * @throws AccessEndedException if the caller's access ended while the body came: nothing is appended
   */
  async answer<T>(
    request: UploadRequest,
    reply: FastifyReply,
    upload: (
      identity: UploadIdentity,
      appendedOffsets: AppendedOffsets,
      assertSame: AssertSame,
    ) => Promise<T>,
  ): Promise<T> {
    this.lag.assertWithinLimit();
    const key = idempotencyKeyOf(request.idempotencyKey);
    const { credentialId, access } = request.caller;
    access.assertLasts();
    const appendedOffsets: AppendedOffsets = new Map();
    let own = undefined as { answer: T } | undefined;
    const stored = await this.idempotency.run(
      { credentialId, key, bodySha256: request.bodySha256, settingsVersion: request.settingsVersion },
      async (identity, assertSame) => {
        access.act();
        const seal = await this.sealOf(key === null ? null : request.caller.user);
        own = { answer: await upload(identity, appendedOffsets, assertSame) };
        return seal(own.answer);
      },
    );
    await request.onStored?.();
    const { answer } = own ?? { answer: await this.given<T>(stored) };
    const seconds = preferredWait(request.prefer);
    if (seconds !== null && (await this.wait(own ? appendedOffsets : null, seconds, access.signal))) {
      reply.header('preference-applied', `wait=${seconds}`);
    }
    return answer;
  }

  /**
   * Makes of an answer what the table of keys has: it contains names of entries. The key is read before the append, since
   * an upload that is stored must not fail without it.
   * @param user null: no one repeats the upload
   */
  private async sealOf(user: string | null): Promise<<T>(answer: T) => T | string> {
    if (user === null || !this.sealer.isOn) return (answer) => answer;
    const seals = await this.sealer.sealsFor([personName(user)]);
    return (answer) => seals.personal(user, JSON.stringify(answer));
  }

  /** @throws KeysUnavailableError if the stored answer cannot be opened */
  private async given<T>(stored: T | string): Promise<T> {
    if (typeof stored !== 'string') return stored;
    try {
      return JSON.parse(await this.opener.text(stored));
    } catch (error) {
      throw new KeysUnavailableError('the answer of the first attempt cannot be opened', { cause: error });
    }
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
