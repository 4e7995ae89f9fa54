import { randomUUID } from 'node:crypto';
import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { DATABASE, type Schema } from '#libs/database';
import { EventSealer } from '#libs/sealing';
import type { Caller } from '../../auth/caller.ts';
import { UnavailableException, UploadContentException } from '../../http/http-errors.ts';
import { Slots } from '../../http/slots.ts';
import type { SettingsSource } from '../../organization/settings-source.ts';
import { SETTINGS } from '../../tokens.ts';
import type { AssertSame, UploadIdentity } from '../idempotency.service.ts';
import type { ZipAnswerDto, ZipPreviewDto } from '../upload.dto.ts';
import { type AppendedOffsets, UploadsLog } from '../uploads-log.ts';
import { NotingSealer } from './noting-sealer.ts';
import type { ZipOutcome, ZipUpload } from './plan-zip.ts';
import { PreviewFold, PreviewTooLargeError } from './preview-fold.ts';
import { type RecordChunk, recordsOf } from './record-chunks.ts';
import { ZipWorkers } from './zip-workers.ts';

/** A ZIP of signals as one upload: validated as a whole by a worker, then appended in order (R-ZIP-5). */
@Injectable()
export class ZipUploadsService {
  /** Each may hold 128 MB. */
  private readonly previews = new Slots({ max: 1, retrySeconds: 5, reason: 'previews' });

  constructor(
    private readonly uploads: UploadsLog,
    private readonly workers: ZipWorkers,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly sealer: EventSealer,
  ) {}

  /**
   * Resolves when the log has every signal. The memory of `zip` is given away.
   * @throws UploadContentException (400) with `errors` if the ZIP or an entry is malformed: nothing is appended
   * @throws RetryLaterException (429), errors of `assertSame`: nothing is appended
   * @throws UnavailableException (503) if another upload created the same subjects since then: nothing is appended
   * @throws LogUnavailableError, KeysUnavailableError
   */
  async upload(
    zip: Uint8Array<ArrayBuffer>,
    options: { skipsInvalid: boolean; assertSame: AssertSame },
    identity: UploadIdentity,
    caller: Caller,
    appendedOffsets: AppendedOffsets,
  ): Promise<ZipAnswerDto> {
    const upload = this.uploadOf(options.skipsInvalid, identity, caller);
    const { sealer, keys } = this.sealer.drafted();
    const noting = new NotingSealer(sealer);
    const begin = async (): Promise<string> => {
      if (keys && !(await keys.storeDrafts())) throw new UnavailableException(KEYS_OVERTAKEN, 1);
      await options.assertSame(noting.subjects);
      // After the append, a key that cannot be read would answer that nothing is stored.
      return this.sealer.personal(caller.user);
    };
    let begun: Promise<string> | undefined;
    const append = async (chunk: RecordChunk) => {
      begun ??= begin();
      await begun;
      await this.uploads.append(recordsOf(chunk), appendedOffsets);
    };
    const result = await this.workers.process(zip, upload, append, noting);
    if ('refused' in result)
      throw new UploadContentException({ message: result.refused, errors: result.errors });
    const { header, taken } = result;
    const { uploadId, receivedAt } = identity;
    begun ??= begin();
    const by = await begun;
    await this.uploads.addReceipt({ uploadId, kind: 'zip', by, receivedAt, ...header });
    return { success: true, message: inWords(taken), uploadId, ...taken };
  }

  /**
   * What the ZIP would change on top of the current projections; nothing is appended.
   * @throws BadRequestException (400) if the ZIP is malformed, or its entities are too large to preview
   * @throws RetryLaterException (429) if another preview is in progress already
   */
  async preview(
    zip: Uint8Array<ArrayBuffer>,
    options: { skipsInvalid: boolean },
    caller: Caller,
  ): Promise<ZipPreviewDto> {
    try {
      return await this.previews.run(() => this.previewed(zip, options, caller));
    } catch (error) {
      throw error instanceof PreviewTooLargeError ? new BadRequestException(error.message) : error;
    }
  }

  private async previewed(
    zip: Uint8Array<ArrayBuffer>,
    { skipsInvalid }: { skipsInvalid: boolean },
    caller: Caller,
  ): Promise<ZipPreviewDto> {
    const upload = this.uploadOf(skipsInvalid, { uploadId: randomUUID(), ...this.clock.read() }, caller);
    const fold = new PreviewFold(this.db, this.uploads.partitions);
    const take = (chunk: RecordChunk) => fold.take(recordsOf(chunk));
    const { sealer } = this.sealer.drafted();
    const result = await this.workers.process(zip, upload, take, sealer);
    if ('refused' in result)
      throw new UploadContentException({ message: result.refused, errors: result.errors });
    // No reader of the response has keys that are not stored.
    const { counts: outcome, ...preview } = await sealer.open(fold.finish());
    return { dryRun: true, ...result.taken, outcome, ...preview };
  }

  private uploadOf(skipsInvalid: boolean, identity: UploadIdentity, caller: Caller): ZipUpload {
    const settings = this.settings();
    const { user, requestId } = caller;
    const { partitions } = this.uploads;
    return {
      context: { ...identity, kind: 'zip', user, requestId, settingsVersion: settings.version, partitions },
      settings,
      skipsInvalid,
    };
  }
}

const KEYS_OVERTAKEN = 'another upload has stored keys of the same new subjects: send the upload again';

function inWords({ accepted, ignored, rejected }: ZipOutcome): string {
  const remarks = [
    ...(ignored > 0 ? [`${ignored} of them expired (no finding created)`] : []),
    ...(rejected > 0 ? [`${rejected} malformed entries rejected`] : []),
  ];
  return [`${accepted} ${accepted === 1 ? 'signal' : 'signals'} accepted`, ...remarks].join('; ');
}
