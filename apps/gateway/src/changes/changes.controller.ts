import { Controller, Get, Head, Headers, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { ChangesQuery } from './changes.dto.ts';
import { ChangesService } from './changes.service.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Asks a proxy to hand on each event as it comes.
  'x-accel-buffering': 'no',
  // Where the service ends the stream to stop, a connection kept for further requests would hold it up.
  connection: 'close',
};

@ApiTags('changes')
@ApiBearerAuth()
@Controller('api/v3/changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  /** The server's own answer to HEAD would read the stream to its end. */
  @Head()
  @ApiExcludeEndpoint()
  head(@Query() _query: ChangesQuery, @Res() reply: FastifyReply): void {
    void reply.headers(STREAM_HEADERS).send();
  }

  @Get()
  @ApiOperation({
    summary: 'Every change of assets, findings and scores as it happens (server-sent events)',
    description:
      'Events `asset`, `finding` and `score`, each with the whole state after the change; in order per topic and ' +
      'asset. From now on, or after the event that `Last-Event-ID` names, however old: none is missing and none comes ' +
      'twice; of a topic that the id does not name, from now on. The shape of `data` is that of the subjects ' +
      '`posture.assets-value`, `posture.findings-value` and `posture.scores-value`, times in ISO 8601. Of an asset ' +
      'that was deleted a `score` has `change.name` `deleted`, and `score` null. The stream ends within a second of the ' +
      'end of its access token, with an event `end`: `data.reason` is `expired` (sign in, and resume) or `revoked` (the ' +
      'credential was deleted or rotated: do not retry with it). Without that event, the connection was cut: resume.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: '`id` of the last event that was taken' })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiBadRequestResponse({ description: 'an id that is not of this stream' })
  @ApiTooManyRequestsResponse({
    description:
      '200 clients follow already, or 50 under this credential; `message` is the number of seconds to wait',
  })
  async stream(
    @Query() { topics, lastEventId }: ChangesQuery,
    @Headers('last-event-id') lastEventIdHeader: string | undefined,
    @CalledBy() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.changes.open(topics, lastEventIdHeader || lastEventId, caller);
    void reply.headers(STREAM_HEADERS).send(stream);
  }
}
