import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isoTime } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { storedNames } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { type RowLimits, seesAllRows } from '#libs/tables';
import { auditCursorPlace } from '#libs/vault';
import { type ActOrigin, ActOriginsRepository } from '../acts/act-origins.repository.ts';
import { VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { SealedCursors } from '../paging/sealed-cursors.ts';
import { type ActDto, ActPageDto, AuditQuery } from './audit.dto.ts';
import { type ActRow, AuditRepository } from './audit.repository.ts';
import { settingsDetail } from './settings-detail.ts';

@ApiTags('audit')
@ApiBearerAuth()
@Controller('api/v3/audit')
@RequiresScope('audit:read')
@AdmitsLimited('rows')
export class AuditController {
  constructor(
    private readonly audit: AuditRepository,
    private readonly origins: ActOriginsRepository,
    private readonly keys: SubjectKeys,
    private readonly cursors: SealedCursors,
  ) {}

  @Get()
  @ApiOperation({
    // Part of the published API: generated clients are named after it.
    operationId: 'ActsController_list',
    summary: 'Audit trail: user actions on settings, credentials, findings and integrations, newest first',
    description:
      'A caller that is limited to departments or locations receives the actions on findings and assets that were visible to it at the time of the action, without `position`.',
  })
  @ApiOkResponse({ type: ActPageDto })
  async list(
    @Query() { limit, cursor, user, ...filter }: AuditQuery,
    @VisibleRows() visible: RowLimits,
  ): Promise<Page<ActDto>> {
    const isLimited = !seesAllRows(visible);
    const plainCursor = isLimited ? this.cursors.open(cursor, auditCursorPlace()) : cursor;
    const before = decodeKeys(plainCursor, 'time', 'number', 'number');
    const users = user === undefined ? undefined : await storedNames(this.keys, user);
    const rows = await this.audit.list({ ...filter, users }, visible, before, limit + 1);
    const originsOf = await this.originsOf(rows);
    const { items, nextCursor } = pageFrom(
      rows,
      limit,
      ({ at, partition, logOffset }) => [at, partition, logOffset],
      (row) => actView(row, originsOf(row), isLimited),
    );
    return {
      items,
      nextCursor: isLimited ? nextCursor && this.cursors.seal(nextCursor, auditCursorPlace()) : nextCursor,
    };
  }

  private async originsOf(rows: readonly ActRow[]): Promise<(row: ActRow) => ActOrigin[]> {
    const requests = rows.flatMap(({ requestId, user }) =>
      requestId === null || user === null ? [] : [{ requestId, user }],
    );
    const origins = requests.length === 0 ? [] : await this.origins.of(requests);
    const byRequest = new Map<string, ActOrigin[]>();
    for (const origin of origins) {
      const key = requestKey(origin);
      byRequest.set(key, [...(byRequest.get(key) ?? []), origin]);
    }
    return (row) => byRequest.get(requestKey(row)) ?? [];
  }
}

const requestKey = ({ requestId, user }: Pick<ActRow, 'requestId' | 'user'>): string =>
  JSON.stringify([requestId, user]);

/** Offsets of the log count the events of all assets. */
const actView = (
  { partition, logOffset, at, ...act }: ActRow,
  origins: readonly ActOrigin[],
  isLimited: boolean,
): ActDto => ({
  ...act,
  detail: act.action === 'settings.changed' ? settingsDetail(act.detail as object) : act.detail,
  at: isoTime(at),
  origins: origins.map(({ address, token }) => ({ address, token })),
  position: isLimited ? null : { topic: INTAKE_TOPIC, partition, offset: logOffset },
});
