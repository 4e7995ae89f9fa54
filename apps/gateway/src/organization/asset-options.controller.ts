import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { AssetOption, OptionList, OptionSaved } from '#libs/domain';
import type { RowLimits } from '#libs/tables';
import { MayBePending } from '../acts/pending.interceptor.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller, VisibleRows } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { pageOfArray } from '../paging/page-of-array.ts';
import { AddOptionDto, AssetOptionDto, AssetOptionPageDto, ChangeOptionDto } from './asset-option.dto.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';

const OPTIONS_MAX = 5_000;

/** The routes of departments and of locations, which differ only in their path. */
function optionsController(list: OptionList, one: string): Type {
  @ApiTags('settings')
  @ApiBearerAuth()
  class AssetOptionsController {
    constructor(
      private readonly organization: OrganizationStore,
      private readonly acts: OrganizationActs,
    ) {}

    @Get()
    @RequiresScope('settings:read')
    @AdmitsLimited('rows')
    @ApiOperation({ summary: `Lists all ${list} that the caller may see by name` })
    @ApiOkResponse({ type: AssetOptionPageDto })
    list(@Query() query: PageQuery, @VisibleRows() rows: RowLimits): Page<AssetOptionDto> {
      const visible = this.organization.current[list].filter(
        ({ name }) => rows[list] === null || rows[list].includes(name),
      );
      return pageOfArray(visible, query, optionView);
    }

    @Post()
    @HttpCode(200)
    @RequiresScope('settings:write')
    @ApiOperation({ summary: `Creates a ${one}. It takes effect immediately` })
    @ApiOkResponse({ type: AssetOptionDto })
    @MayBePending()
    @ApiConflictResponse({ description: 'The name is already in use' })
    add(
      @Body() { name, default: isDefault = false }: AddOptionDto,
      @CalledBy() caller: Caller,
    ): Promise<AssetOptionDto | PendingAct> {
      if (this.organization.current[list].length >= OPTIONS_MAX) {
        throw new ConflictException(`the limit of ${OPTIONS_MAX} ${list} is reached: remove a ${one} first`);
      }
      const added = { id: randomUUID(), name, isDefault };
      return this.save({ ...added, isChange: false }, added, caller);
    }

    @Patch(':id')
    @RequiresScope('settings:write')
    @ApiOperation({ summary: `Renames a ${one}, or makes it the default` })
    @ApiOkResponse({ type: AssetOptionDto })
    @MayBePending()
    @ApiNotFoundResponse({ description: `The ${one} does not exist` })
    @ApiConflictResponse({
      description: `The name is already in use, or the ${one} is the default and no other ${one} replaces it`,
    })
    change(
      @Param('id', UuidPipe) id: string,
      @Body() { name, default: isDefault }: ChangeOptionDto,
      @CalledBy() caller: Caller,
    ): Promise<AssetOptionDto | PendingAct> {
      const known = this.find(id);
      if (name === undefined && isDefault === undefined) {
        throw new BadRequestException('the body must contain name or default');
      }
      const change = { id, isChange: true, name: name ?? null, isDefault: isDefault ?? null };
      return this.save(change, known, caller);
    }

    @Delete(':id')
    @RequiresScope('settings:write')
    @ApiOperation({ summary: `Removes a ${one}. Assets that have it keep its name` })
    @ApiOkResponse({ type: AssetOptionDto })
    @MayBePending()
    @ApiNotFoundResponse({ description: `The ${one} does not exist` })
    @ApiConflictResponse({ description: `The ${one} is the default` })
    async remove(
      @Param('id', UuidPipe) id: string,
      @CalledBy() caller: Caller,
    ): Promise<AssetOptionDto | PendingAct> {
      const known = this.find(id);
      const done = await this.acts.perform({ type: 'OptionRemoved', list, id }, caller);
      return done instanceof PendingAct ? done : optionView(known);
    }

    /** @param fallback is returned if another user has removed the option since */
    private async save(
      saved: Omit<OptionSaved, 'type' | 'list'>,
      fallback: AssetOption,
      caller: Caller,
    ): Promise<AssetOptionDto | PendingAct> {
      const done = await this.acts.perform({ type: 'OptionSaved', list, ...saved }, caller);
      if (done instanceof PendingAct) return done;
      return optionView(done[list].find(({ id }) => id === saved.id) ?? fallback);
    }

    private find(id: string): AssetOption {
      const known = this.organization.current[list].find((option) => option.id === id);
      if (!known) throw new NotFoundException(`no ${one} has the id ${id}`);
      return known;
    }
  }
  return AssetOptionsController;
}

@Controller('api/v3/company/departments')
export class DepartmentsController extends optionsController('departments', 'department') {}

@Controller('api/v3/locations')
export class LocationsController extends optionsController('locations', 'location') {}

const optionView = ({ id, name, isDefault }: AssetOption): AssetOptionDto => ({
  id,
  name,
  default: isDefault,
});
