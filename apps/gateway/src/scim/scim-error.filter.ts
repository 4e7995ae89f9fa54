import { Catch, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from '#libs/config';
import { ErrorFilter } from '../http/error.filter.ts';
import type { ErrorBody } from '../http/error-body.ts';
import { LOGGER } from '../tokens.ts';

export const SCIM_MEDIA_TYPE = 'application/scim+json; charset=utf-8';

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Errors in the form of RFC 7644, 3.12. */
@Catch()
export class ScimErrorFilter extends ErrorFilter {
  constructor(@Inject(LOGGER) logger: Logger) {
    super(logger);
  }

  protected override answer(
    reply: FastifyReply,
    { statusCode, message, retryIn, ...more }: ErrorBody & { scimType?: string },
  ): void {
    if (retryIn !== undefined) reply.header('retry-after', String(retryIn));
    void reply
      .status(statusCode)
      .type(SCIM_MEDIA_TYPE)
      .send({
        schemas: [SCHEMA],
        status: String(statusCode),
        ...(more.scimType && { scimType: more.scimType }),
        detail: message,
      });
  }
}
