import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Patch,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { PendingInterceptor } from '../acts/pending.interceptor.ts';
import { type PendingAct, PendingActDto } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { Roles } from '../auth/roles.ts';
import { NoQueryPipe } from '../http/no-query.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { ConnectionTests } from './connection-tests.service.ts';
import {
  AddIntegrationDto,
  AssetViewDto,
  ChangeIntegrationDto,
  ConnectionTestDto,
  FindingViewDto,
  IntegrationDto,
  IntegrationPageDto,
  RequestedSyncDto,
  RequestSyncDto,
  SyncDto,
  SyncPageDto,
  TestIntegrationDto,
  TestSavedIntegrationDto,
} from './integration.dto.ts';
import { AssetViewQuery, FindingViewQuery } from './integration-views.dto.ts';
import { IntegrationViews } from './integration-views.service.ts';
import { IntegrationsService } from './integrations.service.ts';
import { SyncsService } from './syncs.service.ts';

const NO_SUCH = { description: 'no such integration' };
const TAKEN = { description: 'the name is taken, or was when another integration was made' };

@ApiTags('integrations')
@ApiBearerAuth()
@Controller()
@UseInterceptors(PendingInterceptor)
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly tests: ConnectionTests,
    private readonly syncs: SyncsService,
    private readonly views: IntegrationViews,
  ) {}

  @Post('integration')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ summary: 'Adds an integration; nothing is asked of the platform yet' })
  @ApiOkResponse({ type: IntegrationDto })
  @ApiAcceptedResponse({ type: PendingActDto, description: 'in the log, and not folded yet' })
  @ApiConflictResponse(TAKEN)
  add(
    @Body() given: AddIntegrationDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    return this.integrations.add(given, caller);
  }

  @Get('integrations')
  @ApiOperation({ summary: 'All integrations, by name' })
  @ApiOkResponse({ type: IntegrationPageDto })
  list(@Query() query: PageQuery): Promise<Page<IntegrationDto>> {
    return this.integrations.list(query);
  }

  @Get('integrations/:id')
  @ApiOperation({ summary: 'An integration with its last sync, without its secrets' })
  @ApiOkResponse({ type: IntegrationDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', ParseUUIDPipe) id: string, @Query(NoQueryPipe) _query: object): Promise<IntegrationDto> {
    return this.integrations.get(id);
  }

  @Patch('integrations/:id')
  @Roles('admin')
  @ApiOperation({ summary: 'Changes an integration; what is left out stays, secrets too' })
  @ApiOkResponse({ type: IntegrationDto })
  @ApiAcceptedResponse({ type: PendingActDto, description: 'in the log, and not folded yet' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse(TAKEN)
  change(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() changes: ChangeIntegrationDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    return this.integrations.change(id, changes, caller);
  }

  @Delete('integrations/:id')
  @Roles('admin')
  @ApiOperation({
    summary: 'Removes an integration with its secrets; a sync of it stops, what it brought stays',
  })
  @ApiOkResponse({ type: IntegrationDto, description: 'as it was' })
  @ApiAcceptedResponse({ type: PendingActDto, description: 'in the log, and not folded yet' })
  @ApiNotFoundResponse(NO_SUCH)
  remove(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    return this.integrations.remove(id, caller);
  }

  @Post('integrations/test')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ summary: 'Test Connection of a definition that is not saved' })
  @ApiOkResponse({ type: ConnectionTestDto, description: 'What came of it: `ok` false is no refusal' })
  testNew(@Body() given: TestIntegrationDto, @Query(NoQueryPipe) _query: object): Promise<ConnectionTestDto> {
    return this.tests.testNew(given);
  }

  @Post('integrations/:id/test')
  @HttpCode(200)
  @Roles('admin')
  @ApiOperation({ summary: 'Test Connection of an integration, as it is saved or with changes' })
  @ApiBody({ type: TestSavedIntegrationDto, required: false })
  @ApiOkResponse({ type: ConnectionTestDto, description: 'What came of it: `ok` false is no refusal' })
  @ApiBadRequestResponse({ description: 'wrong changes, or a secret is missing: the message says which' })
  @ApiNotFoundResponse(NO_SUCH)
  testSaved(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() changes: TestSavedIntegrationDto,
    @Query(NoQueryPipe) _query: object,
  ): Promise<ConnectionTestDto> {
    return this.tests.testSaved(id, changes);
  }

  @Post('integrations/:id/sync')
  @HttpCode(202)
  @Roles('admin')
  @ApiBody({ type: RequestSyncDto, required: false })
  @ApiOperation({ summary: 'Sync Now: asks for a sync, which a collector begins soon' })
  @ApiAcceptedResponse({ type: RequestedSyncDto })
  @ApiBadRequestResponse({ description: 'a wrong body, or a secret is missing: the message says which' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'a sync of it waits or runs' })
  sync(
    @Param('id', ParseUUIDPipe) id: string,
    @Body() request: RequestSyncDto,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<RequestedSyncDto> {
    return this.syncs.request(id, request, caller);
  }

  @Post('integrations/:id/sync/cancel')
  @HttpCode(202)
  @Roles('admin')
  @ApiOperation({
    summary: 'Cancels the sync that waits or runs: it ends within seconds, and what was applied stays',
  })
  @ApiAcceptedResponse({ type: RequestedSyncDto, description: 'The sync that ends; asked again, the same' })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'no sync of it waits or runs' })
  cancel(
    @Param('id', ParseUUIDPipe) id: string,
    @Query(NoQueryPipe) _query: object,
    @CalledBy() caller: Caller,
  ): Promise<RequestedSyncDto> {
    return this.syncs.cancel(id, caller);
  }

  @Get('integrations/:id/history')
  @ApiOperation({ summary: 'Syncs of an integration, newest first' })
  @ApiOkResponse({ type: SyncPageDto })
  @ApiNotFoundResponse(NO_SUCH)
  history(@Param('id', ParseUUIDPipe) id: string, @Query() query: PageQuery): Promise<Page<SyncDto>> {
    return this.syncs.history(id, query);
  }

  @Get('integrations/:id/findings')
  @ApiOperation({ summary: 'Finding View: EDR findings that came from the integration' })
  @ApiOkResponse({ type: FindingViewDto })
  @ApiNotFoundResponse(NO_SUCH)
  findings(
    @Param('id', ParseUUIDPipe) id: string,
    @Query() query: FindingViewQuery,
  ): Promise<FindingViewDto> {
    return this.views.findingsOf(id, query);
  }

  @Get('integrations/:id/assets')
  @ApiOperation({ summary: 'Asset View: assets that the integration reported' })
  @ApiOkResponse({ type: AssetViewDto })
  @ApiNotFoundResponse(NO_SUCH)
  assets(@Param('id', ParseUUIDPipe) id: string, @Query() query: AssetViewQuery): Promise<AssetViewDto> {
    return this.views.assetsOf(id, query);
  }
}
