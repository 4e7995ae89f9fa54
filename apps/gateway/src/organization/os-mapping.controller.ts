import { Body, Controller, Get, HttpCode, Post, Query, UseInterceptors } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { PendingInterceptor } from '../acts/pending.interceptor.ts';
import { PendingAct, PendingActDto } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { Roles } from '../auth/roles.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';
import { OsMappingDto, ReplaceOsMappingDto } from './os-mapping.dto.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('settings/os-to-safe-asset-type-mapping')
@UseInterceptors(PendingInterceptor)
export class OsMappingController {
  constructor(
    private readonly organization: OrganizationStore,
    private readonly acts: OrganizationActs,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The OS-to-asset-type mapping; the first pattern that matches wins' })
  @ApiOkResponse({ type: OsMappingDto })
  get(@Query(NoQueryPipe) _query: object): OsMappingDto {
    return this.organization.current.settings.osMapping;
  }

  @Post()
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({
    summary: 'Replaces the whole mapping',
    description:
      'Existing machines whose operating system it knows are typed anew, beginning a minute later at most. All others keep their type until an upload describes them again.',
  })
  @ApiOkResponse({ type: OsMappingDto })
  @ApiAcceptedResponse({ type: PendingActDto })
  @ApiConflictResponse({ description: 'somebody else has changed the settings since `version`' })
  async replace(
    @Body() { mappings, default: fallback, version }: ReplaceOsMappingDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<OsMappingDto | PendingAct> {
    const mapping = { mappings, default: fallback };
    const seenVersion = version ?? null;
    const done = await this.acts.perform({ type: 'OsMappingReplaced', seenVersion, ...mapping }, caller);
    return done instanceof PendingAct ? done : mapping;
  }
}
