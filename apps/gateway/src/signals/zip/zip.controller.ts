import { createHash } from 'node:crypto';
import { Controller, Headers, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Caller } from '../../auth/caller.ts';
import { RequiresScope } from '../../auth/scopes.ts';
import { ReadBodyAs } from '../../http/body.interceptor.ts';
import { ByteBudget } from '../../http/byte-budget.ts';
import { MEGABYTE } from '../../http/http-limits.ts';
import type { SettingsSource } from '../../organization/settings-source.ts';
import { SETTINGS } from '../../tokens.ts';
import { DescribeZipUpload } from '../describe-uploads.ts';
import { type ZipAnswerDto, type ZipPreviewDto, ZipQuery } from '../upload.dto.ts';
import { UploadRequests } from '../upload-requests.service.ts';
import { readZipPart } from './read-zip-part.ts';
import { ZipUploadsService } from './zip-uploads.service.ts';

/** ZIPs in memory at a time, over all requests. */
const HELD_BYTES_MAX = 48 * MEGABYTE;

@Controller('api/v3/signals/zip')
@RequiresScope('signals:write')
export class ZipController {
  private readonly budget = new ByteBudget(HELD_BYTES_MAX);

  constructor(
    private readonly requests: UploadRequests,
    private readonly uploads: ZipUploadsService,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  /** Many signals in one ZIP. */
  @Post()
  @HttpCode(200)
  @ReadBodyAs('unread')
  @DescribeZipUpload()
  async upload(
    @Req() request: FastifyRequest,
    @Query() query: ZipQuery,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ZipAnswerDto | ZipPreviewDto> {
    const held = this.budget.hold();
    try {
      const zip = await readZipPart(request, held, caller.access.signal);
      const skipsInvalid = query.invalid === 'skip';
      if (query.dryRun === 'true') return await this.uploads.preview(zip, { skipsInvalid }, caller);
      const bodySha256 = () => createHash('sha256').update(`zip ${skipsInvalid}\n`).update(zip).digest();
      const settingsVersion = this.settings().version;
      const onStored = () => held.release();
      return await this.requests.answer(
        { caller, idempotencyKey, prefer, bodySha256, settingsVersion, onStored },
        reply,
        (identity, appendedOffsets, assertSame) =>
          this.uploads.upload(zip, { skipsInvalid, assertSame }, identity, caller, appendedOffsets),
      );
    } finally {
      held.release();
    }
  }
}
