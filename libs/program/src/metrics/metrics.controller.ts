import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Headers, Inject, Res, UnauthorizedException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { METRICS_CONTENT_TYPE, readMetrics } from '#libs/telemetry';

/** Injects METRICS_TOKEN, or null if everybody who reaches the port may read. */
export const METRICS_TOKEN = Symbol('METRICS_TOKEN');

/** What Prometheus asks of every process (docs/observing.md). */
@ApiTags('health')
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS_TOKEN) private readonly token: string | null) {}

  @Get()
  @ApiOperation({
    summary: 'Returns the metrics of this process in the Prometheus text format',
    description: 'If METRICS_TOKEN is set, send it as `Authorization: Bearer …`',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'One line per series', schema: { type: 'string' } })
  @ApiUnauthorizedResponse({ description: 'METRICS_TOKEN is set, but the request does not contain it' })
  async metrics(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    this.assertAllowed(authorization);
    const text = await readMetrics();
    // Not before: a refusal is JSON.
    reply.header('content-type', METRICS_CONTENT_TYPE);
    return text;
  }

  private assertAllowed(authorization = ''): void {
    if (this.token === null) return;
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    if (timingSafeEqual(digest(given), digest(this.token))) return;
    throw new UnauthorizedException('METRICS_TOKEN is required: send Authorization: Bearer <token>');
  }
}

/** Of a fixed length for any input. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
