import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
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
import type { RowLimits } from '#libs/tables';
import { MayBePending } from '../acts/pending.interceptor.ts';
import type { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller, ReadBy, type Reader, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { ApiPastRead } from '../paging/past-read-response.ts';
import { QueryTermsPipe } from '../query-terms/query-terms.pipe.ts';
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

const NO_SUCH = { description: 'The integration does not exist' };
const TAKEN = { description: 'The name is in use, or another integration was created with it' };

@ApiTags('integrations')
@ApiBearerAuth()
@Controller()
@RequiresScope('integrations:read')
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly tests: ConnectionTests,
    private readonly syncs: SyncsService,
    private readonly views: IntegrationViews,
  ) {}

  @Post('integration')
  @HttpCode(200)
  @RequiresScope('integrations:write')
  @ApiOperation({ summary: 'Creates an integration. No request is sent to the platform yet' })
  @ApiOkResponse({ type: IntegrationDto })
  @MayBePending()
  @ApiConflictResponse(TAKEN)
  add(@Body() given: AddIntegrationDto, @CalledBy() caller: Caller): Promise<IntegrationDto | PendingAct> {
    return this.integrations.add(given, caller);
  }

  @Get('integrations')
  @ApiOperation({ summary: 'Lists all integrations by name' })
  @ApiOkResponse({ type: IntegrationPageDto })
  list(@Query() query: PageQuery): Promise<Page<IntegrationDto>> {
    return this.integrations.list(query);
  }

  @Get('integrations/:id')
  @ApiOperation({ summary: 'Returns an integration with its last sync, without secrets' })
  @ApiOkResponse({ type: IntegrationDto })
  @ApiNotFoundResponse(NO_SUCH)
  get(@Param('id', UuidPipe) id: string): Promise<IntegrationDto> {
    return this.integrations.get(id);
  }

  @Patch('integrations/:id')
  @RequiresScope('integrations:write')
  @ApiOperation({ summary: 'Changes an integration. Omitted fields, including secrets, keep their values' })
  @ApiOkResponse({ type: IntegrationDto })
  @MayBePending()
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse(TAKEN)
  change(
    @Param('id', UuidPipe) id: string,
    @Body() changes: ChangeIntegrationDto,
    @CalledBy() caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    return this.integrations.change(id, changes, caller);
  }

  @Delete('integrations/:id')
  @RequiresScope('integrations:write')
  @ApiOperation({
    summary: 'Removes an integration and its secrets. A running sync stops. Imported data remains',
  })
  @ApiOkResponse({ type: IntegrationDto, description: 'The removed integration' })
  @MayBePending()
  @ApiNotFoundResponse(NO_SUCH)
  remove(
    @Param('id', UuidPipe) id: string,
    @CalledBy() caller: Caller,
  ): Promise<IntegrationDto | PendingAct> {
    return this.integrations.remove(id, caller);
  }

  @Post('integrations/test')
  @HttpCode(200)
  @RequiresScope('integrations:write')
  @ApiOperation({ summary: 'Test Connection: tests an integration definition that is not saved' })
  @ApiOkResponse({
    type: ConnectionTestDto,
    description: 'Result of the test. A failed test also returns 200, with `ok` false',
  })
  testNew(@Body() given: TestIntegrationDto): Promise<ConnectionTestDto> {
    return this.tests.testNew(given);
  }

  @Post('integrations/:id/test')
  @HttpCode(200)
  @RequiresScope('integrations:write')
  @ApiOperation({ summary: 'Test Connection: tests a saved integration, optionally with changes' })
  @ApiBody({ type: TestSavedIntegrationDto, required: false })
  @ApiOkResponse({
    type: ConnectionTestDto,
    description: 'Result of the test. A failed test also returns 200, with `ok` false',
  })
  @ApiBadRequestResponse({
    description: 'The changes are invalid, or a secret is missing. `message` names the field',
  })
  @ApiNotFoundResponse(NO_SUCH)
  testSaved(
    @Param('id', UuidPipe) id: string,
    @Body() changes: TestSavedIntegrationDto,
  ): Promise<ConnectionTestDto> {
    return this.tests.testSaved(id, changes);
  }

  @Post('integrations/:id/sync')
  @HttpCode(202)
  @RequiresScope('integrations:write')
  @ApiBody({ type: RequestSyncDto, required: false })
  @ApiOperation({ summary: 'Sync Now: requests a sync. A collector starts it shortly' })
  @ApiAcceptedResponse({ type: RequestedSyncDto })
  @ApiBadRequestResponse({
    description: 'The body is invalid, or a secret is missing. `message` names the field',
  })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'A sync of the integration is pending or in progress' })
  sync(
    @Param('id', UuidPipe) id: string,
    @Body() request: RequestSyncDto,
    @CalledBy() caller: Caller,
  ): Promise<RequestedSyncDto> {
    return this.syncs.request(id, request, caller);
  }

  @Post('integrations/:id/sync/cancel')
  @HttpCode(202)
  @RequiresScope('integrations:write')
  @ApiOperation({
    summary: 'Cancels the pending or running sync. It ends within seconds. Applied changes remain',
  })
  @ApiAcceptedResponse({
    type: RequestedSyncDto,
    description: 'The cancelled sync. Repeated requests return the same sync',
  })
  @ApiNotFoundResponse(NO_SUCH)
  @ApiConflictResponse({ description: 'No sync of the integration is pending or in progress' })
  cancel(@Param('id', UuidPipe) id: string, @CalledBy() caller: Caller): Promise<RequestedSyncDto> {
    return this.syncs.cancel(id, caller);
  }

  @Get('integrations/:id/history')
  @ApiOperation({ summary: 'Lists the syncs of an integration, newest first' })
  @ApiOkResponse({ type: SyncPageDto })
  @ApiNotFoundResponse(NO_SUCH)
  history(@Param('id', UuidPipe) id: string, @Query() query: PageQuery): Promise<Page<SyncDto>> {
    return this.syncs.history(id, query);
  }

  @Get('integrations/:id/findings')
  @RequiresScope('findings:read')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Finding View: lists the findings from the integration' })
  @ApiOkResponse({ type: FindingViewDto })
  @ApiPastRead()
  @ApiNotFoundResponse(NO_SUCH)
  findings(
    @Param('id', UuidPipe) id: string,
    @Query(QueryTermsPipe) query: FindingViewQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<FindingViewDto> {
    return this.views.findingsOf(id, query, rows, reader);
  }

  @Get('integrations/:id/assets')
  @RequiresScope('assets:read')
  @AdmitsLimited('rows')
  @ApiOperation({ summary: 'Asset View: lists assets reported by the integration' })
  @ApiOkResponse({ type: AssetViewDto })
  @ApiPastRead()
  @ApiNotFoundResponse(NO_SUCH)
  assets(
    @Param('id', UuidPipe) id: string,
    @Query() query: AssetViewQuery,
    @VisibleRows() rows: RowLimits,
    @ReadBy() reader: Reader,
  ): Promise<AssetViewDto> {
    return this.views.assetsOf(id, query, rows, reader);
  }
}
