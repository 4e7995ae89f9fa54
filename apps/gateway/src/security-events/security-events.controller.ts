import { Controller, Get, Head, Headers, Inject, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import { ReadBy, type Reader } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { type ExportFormat, jsonLines } from '../paging/export-format.ts';
import { exportHeaders } from '../paging/export-headers.ts';
import { ApiExport, EXPORT_DESCRIPTION } from '../paging/export-response.ts';
import { ExportSlots } from '../paging/export-slots.ts';
import { EXPORT_PAGE, exportStream } from '../paging/export-stream.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { ocsfLines } from './ocsf-authentication.ts';
import { type SecurityEventDto, SecurityEventPageDto, SecurityEventsQuery } from './security-event.dto.ts';
import { type SecurityEventRow, SecurityEventsRepository } from './security-events.repository.ts';
import { SecurityEventsExportQuery } from './security-events-export.dto.ts';
import { syslogLines } from './syslog-lines.ts';

const JSON_LINES = 'application/x-ndjson';

const FORMATS: Record<SecurityEventsExportQuery['format'], ExportFormat<SecurityEventDto>> = {
  jsonl: jsonLines,
  ocsf: ocsfLines,
  syslog: syslogLines,
};

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
      '`SECURITY_EVENTS_DAYS` days. With `Accept: application/x-ndjson`, the items of the page are one per line, and the ' +
      'header `Link` (`rel="next"`) has the address of the next page.',
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SecurityEventPageDto) } },
      [JSON_LINES]: { schema: { type: 'string' } },
    },
  })
  @ApiExtraModels(SecurityEventPageDto)
  async list(
    @Query() query: SecurityEventsQuery,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page<SecurityEventDto> | string> {
    const page = await this.page(query, true);
    void reply.header('vary', 'accept');
    if (!acceptsJsonLines(accept)) return page;
    if (page.nextCursor !== null) void reply.header('link', nextLink(request, page.nextCursor));
    void reply.type(`${JSON_LINES}; charset=utf-8`);
    return jsonLines.items(page.items, true);
  }

  /** The server's own answer to HEAD would read the list to its end. */
  @Head('export')
  @ApiExcludeEndpoint()
  exportHead(@Query() { format }: SecurityEventsExportQuery, @Res() reply: FastifyReply): void {
    void reply.headers(this.exportHeaders(format)).send();
  }

  @Get('export')
  @ApiOperation({
    summary: 'Exports security events as a file, oldest first, for a SIEM',
    description:
      `${EXPORT_DESCRIPTION} The count of an item can increase until its minute has ended: an export with a \`to\` that ` +
      'is a minute ago has the final counts, unless the database was unavailable.',
  })
  @ApiExport('application/jsonl', 'text/plain')
  async export(
    @Query() { format, ...query }: SecurityEventsExportQuery,
    @ReadBy() reader: Reader,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await this.slots.start(reader, () =>
      exportStream((cursor) => this.page({ ...query, cursor, limit: EXPORT_PAGE }, false), FORMATS[format]),
    );
    void reply.headers(this.exportHeaders(format)).send(stream);
  }

  private exportHeaders(format: SecurityEventsExportQuery['format']): Record<string, string> {
    return exportHeaders('security-events', FORMATS[format], this.clock());
  }

  private async page(
    { limit, cursor, ...filter }: PageOf<SecurityEventsQuery>,
    isNewestFirst: boolean,
  ): Promise<Page<SecurityEventDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.events.list(filter, { isNewestFirst, after, limit: limit + 1 });
    return pageFrom(rows, limit, ({ at, id }) => [at, id], eventView);
  }
}

const acceptsJsonLines = (accept = ''): boolean =>
  accept.split(',').some((range) => range.split(';')[0]!.trim().toLowerCase() === JSON_LINES);

/** RFC 8288. With the path of the route: the path of a request may begin with `//`, after which a host would follow. */
function nextLink({ url, routeOptions }: FastifyRequest, cursor: string): string {
  const parameters = new URLSearchParams(/\?.*/.exec(url)?.[0]);
  parameters.set('cursor', cursor);
  return `<${routeOptions.url}?${parameters}>; rel="next"`;
}

type PageOf<Q> = Omit<Q, 'cursor'> & { cursor?: string | undefined };

const eventView = ({
  id,
  at,
  lastAt,
  reason,
  user,
  token,
  address,
  ...row
}: SecurityEventRow): SecurityEventDto => ({
  id,
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
