import { createHash, randomUUID } from 'node:crypto';
import {
  ConflictException,
  HttpException,
  Inject,
  Injectable,
  type OnModuleDestroy,
  type OnModuleInit,
  UnprocessableEntityException,
} from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Logger } from '#libs/config';
import { type Reading, readingAt, uploadId } from '#libs/domain';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import { IdempotencyRepository, type KeyOwner, type KeyUse } from './idempotency.repository.ts';

/** How long a key is valid (R-UPL-3). */
const KEY_MS = 24 * 3_600_000;
const CLEANING_INTERVAL_MS = 60_000;
const CLAIM_ATTEMPTS = 3;

/** The fields that identify a repeated upload. */
export interface UploadIdentity extends Reading {
  /** With `receivedAt` the stamp of the upload (R-FOLD-4). */
  uploadId: string;
}

/**
 * Called before anything of an upload with many events is appended.
 * @param subjects ids of the subjects whose keys seal its texts, in any order
 * @param converted SHA-256 of what the body was converted to; omitted: the upload is the body as it is
 * @throws ConflictException (409) if they are others than those of an interrupted attempt
 */
export type AssertSame = (subjects: Iterable<string>, converted?: Buffer) => Promise<void>;

export interface KeyedUpload {
  credentialId: string;
  /** The `Idempotency-Key`; null: the upload is a new one with any body. */
  key: string | null;
  /** Of everything in the request that the outcome depends on. */
  bodySha256: () => Buffer;
  /** Of the settings that select and order the events of the upload; null: it has one event. */
  settingsVersion: number | null;
}

/** The upload of a key, and the reading of the first attempt: a retry's own would be hours later. */
interface ClaimedKey {
  use: KeyUse;
  isNew: boolean;
  reading: Reading;
}

/**
 * Gives an upload that is sent again under its `Idempotency-Key` the identity of the first attempt. The fold
 * drops events that it has seen (R-FOLD-5), so a crash between the append and the recorded answer counts nothing twice.
 */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnModuleDestroy {
  /** Keys in progress in this process. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly cleaning: Periodic;

  constructor(
    private readonly keys: IdempotencyRepository,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const failure = 'removing old Idempotency-Keys failed';
    this.cleaning = new Periodic(CLEANING_INTERVAL_MS, () => this.clean(), failure, logger);
  }

  onModuleInit(): Promise<void> {
    return this.cleaning.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.cleaning.stop();
  }

  /**
   * Runs an upload, or returns the response of its first attempt. A concurrent repeat waits for the earlier one, and
   * gets the same response. Concurrent repeats at two gateways both append, and the fold drops the repeats.
   * @throws UnprocessableEntityException (422) if the key belongs to another body, ConflictException (409) if an interrupted
   * first attempt had other settings or subjects, another conversion, or was of 0.1.0: its remaining events are no longer the same; an
   * error of the connection (answered 503) if the database cannot look up the key, ClockError: nothing was run
   */
  async run<T>(
    upload: KeyedUpload,
    work: (identity: UploadIdentity, assertSame: AssertSame) => Promise<T>,
  ): Promise<T> {
    const { credentialId, key } = upload;
    if (key === null) return work(this.newIdentity(), async () => {});
    const owner = { credentialId, key };
    return this.afterTwins(`${credentialId} ${key}`, () =>
      this.runKeyed(owner, upload.bodySha256(), upload.settingsVersion, work),
    );
  }

  private async runKeyed<T>(
    owner: KeyOwner,
    bodySha256: Buffer,
    settingsVersion: number | null,
    work: (identity: UploadIdentity, assertSame: AssertSame) => Promise<T>,
  ): Promise<T> {
    const { use, isNew, reading } = await this.claim(owner, bodySha256, settingsVersion);
    if (!use.bodySha256.equals(bodySha256)) {
      throw new UnprocessableEntityException(
        'this Idempotency-Key was used with a different body within 24 hours: use a new key for a new upload',
      );
    }
    if (use.answer !== null) return use.answer as T;
    if (use.settingsVersion !== settingsVersion) {
      // 0.1.0 kept none, and made other events of a ZIP.
      const change =
        use.settingsVersion === null ? 'the version of the gateway has changed' : 'the settings have changed';
      throw new ConflictException(
        `${change} since the first attempt with this Idempotency-Key, which was not completed: send the upload with a new key`,
      );
    }
    try {
      const answer = await work({ uploadId: use.uploadId, ...reading }, (subjects, converted) =>
        this.assertSame(owner, use.uploadId, { subjects, converted }),
      );
      await this.bestEffort(this.keys.recordAnswer(owner, use.uploadId, answer));
      return answer;
    } catch (error) {
      // Refused before anything was appended: the corrected body may come under the same key, unless another gateway
      // works with this one.
      if (isNew && isRefusal(error)) await this.bestEffort(this.keys.release(owner, use.uploadId));
      throw error;
    }
  }

  /**
   * A subject that was erased has another id now, and its events are in another partition: the ordinals differ. Another
   * version of the converter, or of a map, gives a report other signals.
   */
  private async assertSame(
    owner: KeyOwner,
    uploadId: string,
    { subjects, converted }: { subjects: Iterable<string>; converted: Buffer | undefined },
  ): Promise<void> {
    const ofSubjects = createHash('sha256')
      .update([...subjects].sort().join('\n'))
      .digest();
    const digests = converted === undefined ? ofSubjects : Buffer.concat([ofSubjects, converted]);
    const kept = await this.keys.keepDigests(owner, uploadId, digests);
    if (!kept || kept.equals(digests)) return;
    const isConvertedSame = !converted || kept.subarray(ofSubjects.length).equals(converted);
    const change = isConvertedSame
      ? 'a subject of the upload was erased'
      : 'the conversion of the report has changed (version of the gateway, POSTURE_MAPS)';
    throw new ConflictException(
      `${change} since the first attempt with this Idempotency-Key, which was not completed: send the upload with a new key`,
    );
  }

  private newIdentity(): UploadIdentity {
    return { uploadId: randomUUID(), ...this.clock.read() };
  }

  /**
   * While the database is unavailable this fails, and so does the upload: as a new upload, a repeat would be counted
   * again, and an old ZIP would replace the findings of a newer one.
   */
  private async claim(
    owner: KeyOwner,
    bodySha256: Buffer,
    settingsVersion: number | null,
  ): Promise<ClaimedKey> {
    const reading = this.clock.read();
    const { receivedAt } = reading;
    // The time is part of the name: a key that is free again must not name an upload that the fold has seen.
    const id = uploadId(owner.credentialId, `${owner.key} ${receivedAt}`);
    const use = { uploadId: id, receivedAt, bodySha256, settingsVersion, answer: null };
    for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
      if (await this.keys.claim(owner, use, receivedAt - KEY_MS)) return { use, isNew: true, reading };
      const taken = await this.joined(owner, bodySha256);
      if (taken) return { use: taken, isNew: false, reading: readingAt(taken.receivedAt) };
    }
    throw new ConflictException({
      message: 'another request with the same Idempotency-Key is in progress',
      retryIn: 1,
    });
  }

  /** The use of a key that is taken; undefined if it is free again. */
  private async joined(owner: KeyOwner, bodySha256: Buffer): Promise<KeyUse | undefined> {
    const taken = await this.keys.find(owner);
    const isInProgress = taken?.answer === null && taken.bodySha256.equals(bodySha256);
    return isInProgress ? this.keys.join(owner, taken.uploadId) : taken;
  }

  /** Their answers name assets: they are removed without another upload, too. */
  private async clean(): Promise<void> {
    if (!this.clock.distrust) await this.keys.deleteTakenBefore(this.clock.now() - KEY_MS);
  }

  private async afterTwins<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.underWay.get(id);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.underWay.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.underWay.get(id) === mine) this.underWay.delete(id);
    }
  }

  private async bestEffort(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.logger.warn({ err: error }, 'storing the record of an Idempotency-Key failed');
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof HttpException && error.getStatus() < 500;
