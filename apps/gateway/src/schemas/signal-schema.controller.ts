import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { signalSchema } from '#libs/contracts';
import { Public } from '../auth/scopes.ts';

const MEDIA_TYPE = 'application/schema+json';

/** The contract of senders. It holds no data: no token is requested. */
@ApiTags('schemas')
@ApiProduces(MEDIA_TYPE)
@Public()
@Controller()
export class SignalSchemaController {
  @Get('schemas/signal.schema.json')
  @Header('content-type', MEDIA_TYPE)
  @ApiOperation({ summary: 'Returns the JSON Schema of a signal' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  read(): object {
    return signalSchema;
  }
}
