import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MayBePending } from '../acts/pending.interceptor.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';
import { OsMappingDto, ReplaceOsMappingDto } from './os-mapping.dto.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('settings/os-to-safe-asset-type-mapping')
@RequiresScope('settings:read')
export class OsMappingController {
  constructor(
    private readonly organization: OrganizationStore,
    private readonly acts: OrganizationActs,
  ) {}

  @Get()
  @AdmitsLimited('open')
  @ApiOperation({ summary: 'Returns the OS-to-asset-type mapping. The first matching pattern applies' })
  @ApiOkResponse({ type: OsMappingDto })
  get(): OsMappingDto {
    return this.organization.current.settings.osMapping;
  }

  @Post()
  @HttpCode(200)
  @RequiresScope('settings:write')
  @ApiOperation({
    summary: 'Replaces the complete OS-to-asset-type mapping',
    description:
      'Within a minute, the service starts to update the type of existing machines whose operating system matches a pattern. Other machines keep their type until the next upload that describes them. `version` is the version of `GET /api/v3/settings`.',
  })
  @ApiOkResponse({ type: OsMappingDto })
  @MayBePending()
  @ApiConflictResponse({ description: 'The settings have changed since `version`' })
  async replace(
    @Body() { mappings, default: fallback, version }: ReplaceOsMappingDto,
    @CalledBy() caller: Caller,
  ): Promise<OsMappingDto | PendingAct> {
    const mapping = { mappings, default: fallback };
    const seenVersion = version ?? null;
    const done = await this.acts.perform({ type: 'OsMappingReplaced', seenVersion, ...mapping }, caller);
    return done instanceof PendingAct ? done : mapping;
  }
}
