import { Controller, Get, Headers, Inject, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { jsonLines } from '../paging/export-format.ts';
import { exportHeaders } from '../paging/export-headers.ts';
import { ExportSlots } from '../paging/export-slots.ts';
import { EXPORT_PAGE, exportStream } from '../paging/export-stream.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type SecurityEventDto, SecurityEventPageDto, SecurityEventsQuery } from './security-event.dto.ts';
import { type SecurityEventRow, SecurityEventsRepository } from './security-events.repository.ts';

const JSON_LINES = 'application/x-ndjson';

@ApiTags('audit')
@ApiBearerAuth()
@Controller('api/v3/security-events')
@RequiresScope('security-events:read')
export class SecurityEventsController {
  constructor(
    private readonly events: SecurityEventsRepository,
    private readonly slots: ExportSlots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Lists sign-ins and rejected uses of access tokens, newest first',
    description:
      'Equal events within a minute are one item with a count. Events are stored within a second and deleted after ' +
      '`SECURITY_EVENTS_DAYS` days. With `Accept: application/x-ndjson`, the response is a file with all events from ' +
      '`cursor`, one JSON value per line. At most one export per credential and four per gateway run at a time.',
  })
  @ApiExtraModels(SecurityEventPageDto)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SecurityEventPageDto) } },
      [JSON_LINES]: { schema: { type: 'string' } },
    },
  })
  @ApiTooManyRequestsResponse({
    description: 'The limit of concurrent exports is reached. `message` is the number of seconds to wait',
  })
  async list(
    @Query() query: SecurityEventsQuery,
    @Headers('accept') accept: string | undefined,
    @CalledBy() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!accept?.toLowerCase().includes(JSON_LINES)) return void reply.send(await this.page(query));
    const stream = await this.slots.start(caller, () =>
      exportStream((cursor = query.cursor) => this.page({ ...query, cursor, limit: EXPORT_PAGE }), jsonLines),
    );
    const headers = exportHeaders('security-events', jsonLines, this.clock());
    void reply.headers({ ...headers, 'content-type': `${JSON_LINES}; charset=utf-8` }).send(stream);
  }

  private async page({
    limit,
    cursor,
    ...filter
  }: Omit<SecurityEventsQuery, 'cursor'> & { cursor?: string | undefined }): Promise<Page<SecurityEventDto>> {
    const rows = await this.events.list(filter, decodeKeys(cursor, 'time', 'uuid'), limit + 1);
    return pageFrom(rows, limit, ({ at, id }) => [at, id], eventView);
  }
}

const eventView = ({
  at,
  lastAt,
  reason,
  user,
  token,
  address,
  ...row
}: SecurityEventRow): SecurityEventDto => ({
  at: isoTime(at),
  lastAt: isoTime(lastAt),
  count: row.count,
  kind: row.kind,
  outcome: row.outcome,
  reason: reason || null,
  user: user || null,
  token: token || null,
  address: address || null,
  requestId: row.requestId,
});
