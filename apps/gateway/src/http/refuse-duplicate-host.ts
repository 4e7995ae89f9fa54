import { BadRequestException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf } from './error-body.ts';

/** Two `Host` headers mean two services to two readers, such as a proxy and this one (RFC 9112, section 3.2). */
export function refuseDuplicateHost(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if ((request.raw.headersDistinct.host?.length ?? 0) <= 1) {
    done();
    return;
  }
  const body = errorBodyOf(
    new BadRequestException('the request must have exactly one Host header'),
    request.id,
  );
  void reply.status(body.statusCode).header('connection', 'close').send(body);
}
