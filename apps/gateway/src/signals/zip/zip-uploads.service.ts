import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.ts';
import { SETTINGS } from '../../tokens.ts';
import type { UploadIdentity } from '../idempotency.service.ts';
import type { SettingsSource } from '../settings-source.ts';
import type { ZipAnswerDto } from '../upload.dto.ts';
import { type Reached, UploadsLog } from '../uploads-log.ts';
import type { ZipOutcome, ZipUpload } from './plan-zip.ts';
import { recordsOf } from './record-chunks.ts';
import { ZipWorkers } from './zip-workers.ts';

/** A ZIP of signals as one upload: validated whole by a worker, then appended in order (D16). */
@Injectable()
export class ZipUploadsService {
  constructor(
    private readonly uploads: UploadsLog,
    private readonly workers: ZipWorkers,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /**
   * Resolves when the log has every signal (D17). The memory of `zip` is given away.
   * @throws BadRequestException (400) with `errors` where the ZIP or an entry is malformed: nothing is appended
   * @throws RetryLaterException (429)
   * @throws LogUnavailableError
   */
  async upload(
    zip: Uint8Array<ArrayBuffer>,
    options: { skipsInvalid: boolean },
    identity: UploadIdentity,
    caller: Caller,
    reached: Reached,
  ): Promise<ZipAnswerDto> {
    const upload = this.uploadOf(options.skipsInvalid, identity, caller);
    const result = await this.workers.process(zip, upload, (chunk) =>
      this.uploads.append(recordsOf(chunk), reached),
    );
    if ('refused' in result)
      throw new BadRequestException({ message: result.refused, errors: result.errors });
    const { header, taken } = result;
    await this.uploads.addReceipt({ ...identity, kind: 'zip', by: caller.user, ...header });
    return { success: true, message: inWords(taken), uploadId: identity.uploadId, ...taken };
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

function inWords({ accepted, ignored, rejected }: ZipOutcome): string {
  const remarks = [
    ...(ignored > 0 ? [`${ignored} of them expired, without a finding`] : []),
    ...(rejected > 0 ? [`${rejected} malformed entries left out`] : []),
  ];
  return [`${accepted} ${accepted === 1 ? 'signal' : 'signals'} accepted`, ...remarks].join('; ');
}
