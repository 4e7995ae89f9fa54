import { Controller, Get, Head, Headers, Query, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiGoneResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CalledBy, type LimitedCaller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { ChangesQuery } from './changes.dto.ts';
import { ChangesService } from './changes.service.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Asks a proxy to hand on each event as it comes.
  'x-accel-buffering': 'no',
  // When the service ends the stream to stop, a kept-alive connection would delay the stop.
  connection: 'close',
};

@ApiTags('changes')
@ApiBearerAuth()
@Controller('api/v3/changes')
@RequiresScope('changes:read')
@AdmitsLimited('rows')
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
    summary: 'Streams changes of assets, findings and scores (server-sent events)',
    description:
      'Events are `asset`, `finding` and `score`. Each contains the complete state after the change. Events are ordered ' +
      'per topic and asset. The stream starts at the present, or after the event in `Last-Event-ID`, regardless of its ' +
      'age, unless changes after it were removed (410). Each event is delivered exactly once. A topic that the id does not contain starts at the present. `data` ' +
      'has the schema of the subjects `posture.assets-value`, `posture.findings-value` and `posture.scores-value`, with ' +
      'times in ISO 8601. If an asset is deleted, its `score` event has `change.name` `deleted` and `score` null. The ' +
      'stream closes within a second after its access token ends. The last event is then `end`: `data.reason` is ' +
      '`expired` (sign in and resume), `revoked` (the credential was deleted or rotated; do not retry with it) or ' +
      '`changed` (the caller has other scopes, departments, locations or networks: open another stream without an id, ' +
      'and read the lists). ' +
      'If the stream closes without an `end` event, the connection was interrupted: resume. A caller that is limited to ' +
      'departments or locations receives the changes of the assets that it sees, without `change.sequence` and ' +
      '`change.position`. When it no longer sees an asset, it receives an event `hidden` with `assetId` and `at`: ' +
      'remove the asset, its findings and its score, and ignore its later `finding` and `score` events whose ' +
      '`change.at` is not after `at`. Its ids are encrypted.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: '`id` of the last event that the client processed',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiBadRequestResponse({ description: 'The event id does not belong to this stream' })
  @ApiGoneResponse({
    description:
      'Changes after the event id were removed under the retention of the history (`historyRetentionDays`)',
  })
  @ApiTooManyRequestsResponse({
    description:
      '200 streams are already open, or 50 for this credential. `message` is the number of seconds to wait',
  })
  async stream(
    @Query() { topics, lastEventId }: ChangesQuery,
    @Headers('last-event-id') lastEventIdHeader: string | undefined,
    @CalledBy() caller: LimitedCaller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.changes.open(topics, lastEventIdHeader || lastEventId, caller);
    void reply.headers(STREAM_HEADERS).send(stream);
  }
}
