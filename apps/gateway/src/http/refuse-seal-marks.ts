import { BadRequestException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasSealMarks } from '#libs/contracts';
import { errorBodyOf } from './error-body.ts';

/** An answer or a row with a value of the address would open what its sender put between the marks (ADR-0078). */
export function refuseSealMarks(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  // Without an escape, each character of an address is one byte.
  if (!request.url.includes('%') || !hasSealMarks(JSON.stringify([request.query, request.params]))) {
    done();
    return;
  }
  const body = errorBodyOf(
    new BadRequestException('the path and the query must not contain U+FDD0 or U+FDD1'),
    request.id,
  );
  void reply.status(body.statusCode).send(body);
}
