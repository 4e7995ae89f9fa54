import { createHash } from 'node:crypto';
import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { DescribeSignalUpload } from './describe-uploads.ts';
import { JsonDay } from './json-day.ts';
import { JsonQuota } from './json-quota.ts';
import { JsonUploadsService } from './json-uploads.service.ts';
import type { SignalAnswerDto } from './upload.dto.ts';
import { UploadRequests } from './upload-requests.service.ts';

@Controller('api/v3/signals')
@RequiresScope('signals:write')
export class SignalsController {
  constructor(
    private readonly requests: UploadRequests,
    private readonly uploads: JsonUploadsService,
    private readonly quota: JsonQuota,
    private readonly day: JsonDay,
  ) {}

  /** One signal, for any declared content type. */
  @Post()
  @HttpCode(200)
  @ReadBodyAs('bytes')
  @DescribeSignalUpload()
  async upload(
    @Body() bytes: Buffer,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignalAnswerDto> {
    await this.quota.take();
    const bodySha256 = () => createHash('sha256').update('json\n').update(bytes).digest();
    return this.requests.answer(
      { caller, idempotencyKey, prefer, bodySha256, settingsVersion: null },
      reply,
      // A repeat under its key is none of the day's signals: it is answered as before, and not run.
      (identity, appendedOffsets, assertSame) =>
        this.day.run(caller.credentialId, () =>
          this.uploads.upload(bytes, identity, caller, appendedOffsets, assertSame),
        ),
    );
  }
}
