import { createHash } from 'node:crypto';
import { Body, Controller, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { Roles } from '../auth/roles.ts';
import { ReadBodyAs } from '../http/body.interceptor.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { DescribeSignalUpload } from './describe-uploads.ts';
import { JsonDay } from './json-day.ts';
import { JsonQuota } from './json-quota.ts';
import { JsonUploadsService } from './json-uploads.service.ts';
import type { SignalAnswerDto } from './upload.dto.ts';
import { UploadRequests } from './upload-requests.service.ts';

@Controller('api/v3/signals')
@Roles('admin', 'analyst')
export class SignalsController {
  constructor(
    private readonly requests: UploadRequests,
    private readonly uploads: JsonUploadsService,
    private readonly quota: JsonQuota,
    private readonly day: JsonDay,
  ) {}

  /** One signal, whatever the declared content type (spec §Endpoints). */
  @Post()
  @HttpCode(200)
  @ReadBodyAs('bytes')
  @DescribeSignalUpload()
  async upload(
    @Body() bytes: Buffer,
    @Query(NoQueryPipe) _query: object,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignalAnswerDto> {
    await this.quota.take();
    this.day.assertAllowed(caller.credentialId);
    const bodySha256 = () => createHash('sha256').update('json\n').update(bytes).digest();
    const answer = await this.requests.answer(
      { caller, idempotencyKey, prefer, bodySha256 },
      reply,
      (identity, reached) => this.uploads.upload(bytes, identity, caller, reached),
    );
    const advice = this.day.note(caller.credentialId);
    return advice === undefined ? answer : { ...answer, advice };
  }
}
