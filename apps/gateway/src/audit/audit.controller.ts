import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isoTime } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { storedNames } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { RequiresScope } from '../auth/scopes.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type ActDto, ActPageDto, AuditQuery } from './audit.dto.ts';
import { type ActRow, AuditRepository } from './audit.repository.ts';

@ApiTags('audit')
@ApiBearerAuth()
@Controller('api/v3/audit')
@RequiresScope('audit:read')
export class AuditController {
  constructor(
    private readonly audit: AuditRepository,
    private readonly keys: SubjectKeys,
  ) {}

  @Get()
  @ApiOperation({
    // Part of the published API: generated clients are named after it.
    operationId: 'ActsController_list',
    summary: 'Audit trail: user actions on settings, credentials, findings and integrations, newest first',
  })
  @ApiOkResponse({ type: ActPageDto })
  async list(@Query() { limit, cursor, user, ...filter }: AuditQuery): Promise<Page<ActDto>> {
    const before = decodeKeys(cursor, 'time', 'number', 'number');
    const users = user === undefined ? undefined : await storedNames(this.keys, user);
    const rows = await this.audit.list({ ...filter, users }, before, limit + 1);
    return pageFrom(rows, limit, ({ at, partition, logOffset }) => [at, partition, logOffset], actView);
  }
}

const actView = ({ partition, logOffset, at, ...act }: ActRow): ActDto => ({
  ...act,
  at: isoTime(at),
  position: { topic: INTAKE_TOPIC, partition, offset: logOffset },
});
