import { BadRequestException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf } from './error-body.ts';

/** Two `Host` headers mean two services to two readers, such as a proxy and this one (RFC 9112, section 3.2). */
export function refuseDuplicateHost(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (hostsIn(request.raw.rawHeaders) <= 1) {
    done();
    return;
  }
  const body = errorBodyOf(
    new BadRequestException('the request must have exactly one Host header'),
    request.id,
  );
  void reply.status(body.statusCode).header('connection', 'close').send(body);
}

/** Of names and values in turn, as sent. */
function hostsIn(headers: string[]): number {
  let hosts = 0;
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]!.length === 4 && headers[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
