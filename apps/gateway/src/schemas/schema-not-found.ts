import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { REGISTRY_MEDIA_TYPE } from './media-type.ts';
import type { RegistryErrorDto } from './schema.dto.ts';

/** There is no such subject (40401), version (40402) or schema (40403). */
export class SchemaNotFoundError extends Error {
  override name = 'SchemaNotFoundError';

  constructor(
    readonly code: 40401 | 40402 | 40403,
    message: string,
  ) {
    super(message);
  }
}

/** The clients of registries look for `error_code`: these routes answer in its words and not in the API's. */
@Catch(SchemaNotFoundError)
export class SchemaNotFoundFilter implements ExceptionFilter<SchemaNotFoundError> {
  catch({ code, message }: SchemaNotFoundError, host: ArgumentsHost): void {
    const body: RegistryErrorDto = { error_code: code, message };
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply.status(404).header('content-type', REGISTRY_MEDIA_TYPE).send(body);
  }
}
