import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { INTAKE_TOPIC } from '#libs/intake';
import { Roles } from '../auth/roles.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type ActDto, ActPageDto, ActsQuery } from './act.dto.ts';
import { type ActRow, ActsRepository } from './acts.repository.ts';

@ApiTags('audit')
@ApiBearerAuth()
@Controller('api/v3/audit')
export class ActsController {
  constructor(private readonly acts: ActsRepository) {}

  @Get()
  @Roles('admin', 'analyst')
  @ApiOperation({
    summary: 'Every act of a user on settings, credentials, findings and integrations, newest first',
  })
  @ApiOkResponse({ type: ActPageDto })
  async list(@Query() { limit, cursor, ...filter }: ActsQuery): Promise<Page<ActDto>> {
    const before = decodeKeys(cursor, 'time', 'number', 'number');
    const rows = await this.acts.list(filter, before, limit + 1);
    return pageFrom(rows, limit, ({ at, partition, logOffset }) => [at, partition, logOffset], actView);
  }
}

const actView = ({ partition, logOffset, at, ...act }: ActRow): ActDto => ({
  ...act,
  at: new Date(at).toISOString(),
  position: { topic: INTAKE_TOPIC, partition, offset: logOffset },
});
