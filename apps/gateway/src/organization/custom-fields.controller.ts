import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { type CustomField, isoTime, type Settings } from '#libs/domain';
import { MayBePending } from '../acts/pending.interceptor.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { AssetsRepository } from '../assets/assets.repository.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { AdmitsLimited, RequiresScope } from '../auth/scopes.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { UuidPipe } from '../http/uuid.pipe.ts';
import { type Page, PageQuery } from '../paging/page.ts';
import { pageOfArray } from '../paging/page-of-array.ts';
import {
  AddCustomFieldDto,
  ChangeCustomFieldDto,
  CustomFieldDto,
  CustomFieldPageDto,
  RemoveCustomFieldQuery,
  RemovedCustomFieldDto,
} from './custom-field.dto.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';

const FIELDS_MAX = 500;

@ApiTags('settings')
@ApiBearerAuth()
@Controller('api/v3/custom-fields')
@RequiresScope('settings:read')
export class CustomFieldsController {
  constructor(
    private readonly organization: OrganizationStore,
    private readonly acts: OrganizationActs,
    private readonly assets: AssetsRepository,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
  ) {}

  @Get()
  @AdmitsLimited('open')
  @ApiOperation({ summary: 'Lists all custom fields by name' })
  @ApiOkResponse({ type: CustomFieldPageDto })
  list(@Query() query: PageQuery): Page<CustomFieldDto> {
    return pageOfArray(this.settings.customFields, query, (field) => fieldView(field, this.settings));
  }

  @Get(':id')
  @AdmitsLimited('open')
  @ApiOperation({ summary: 'Returns a custom field' })
  @ApiOkResponse({ type: CustomFieldDto })
  @ApiNotFoundResponse({ description: 'The custom field does not exist' })
  get(@Param('id', UuidPipe) id: string): CustomFieldDto {
    return fieldView(this.find(id), this.settings);
  }

  @Post()
  @HttpCode(200)
  @RequiresScope('settings:write')
  @ApiOperation({
    summary: 'Creates a custom field. Tags fill it after customFieldRecognitionDelaySeconds',
  })
  @ApiOkResponse({ type: CustomFieldDto })
  @MayBePending()
  @ApiConflictResponse({ description: 'The name is already in use' })
  add(
    @Body() { name, type = 'Any', multiValued = false, options = [] }: AddCustomFieldDto,
    @CalledBy() caller: Caller,
  ): Promise<CustomFieldDto | PendingAct> {
    if (this.settings.customFields.length >= FIELDS_MAX) {
      throw new ConflictException(
        `the limit of ${FIELDS_MAX} custom fields is reached: remove a custom field first`,
      );
    }
    const createdAt = this.clock.now();
    const delayMs = this.settings.customFieldRecognitionDelaySeconds * 1000;
    const field = { id: randomUUID(), name, type, multiValued, options, createdAt };
    return this.save({ ...field, isChange: false, recognisedAt: createdAt + delayMs }, caller);
  }

  @Patch(':id')
  @RequiresScope('settings:write')
  @ApiOperation({ summary: 'Changes a custom field. Assets keep their values' })
  @ApiOkResponse({ type: CustomFieldDto })
  @MayBePending()
  @ApiNotFoundResponse({ description: 'The custom field does not exist' })
  @ApiConflictResponse({
    description: 'The name is already in use, or the settings have changed since `version`',
  })
  async change(
    @Param('id', UuidPipe) id: string,
    @Body() { version, ...changes }: ChangeCustomFieldDto,
    @CalledBy() caller: Caller,
  ): Promise<CustomFieldDto | PendingAct> {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0) {
      throw new BadRequestException(
        'the body must contain at least one of name, type, multiValued and options',
      );
    }
    await this.organization.refresh();
    const field = this.find(id);
    assertSeenVersion('version of the settings', this.settings.version, version);
    return this.save({ ...field, ...given, isChange: true }, caller);
  }

  @Delete(':id')
  @RequiresScope('settings:write')
  @ApiOperation({ summary: 'Removes a custom field. Later tags with its name are stored as tags' })
  @ApiOkResponse({ type: RemovedCustomFieldDto })
  @MayBePending()
  @ApiNotFoundResponse({ description: 'The custom field does not exist' })
  @ApiConflictResponse({
    description:
      'Assets have values of the custom field and `force` is not true. `message` contains the number of assets',
  })
  async remove(
    @Param('id', UuidPipe) id: string,
    @Query() { force }: RemoveCustomFieldQuery,
    @CalledBy() caller: Caller,
  ): Promise<RemovedCustomFieldDto | PendingAct> {
    const field = this.find(id);
    const assets = await this.assets.countWithCustomField(field.name);
    if (assets > 0 && force !== 'true') {
      throw new ConflictException(
        `${assets} assets have a value of ${field.name}. They keep it, but later tags do not change it. To remove the field, repeat with ?force=true`,
      );
    }
    const done = await this.acts.perform({ type: 'CustomFieldRemoved', id }, caller);
    return done instanceof PendingAct ? done : { ...fieldView(field, done.settings), assets };
  }

  private get settings(): Settings {
    return this.organization.current.settings;
  }

  private find(id: string): CustomField {
    const known = this.settings.customFields.find((field) => field.id === id);
    if (!known) throw new NotFoundException(`no custom field has the id ${id}`);
    return known;
  }

  private async save(
    { type: fieldType, isChange, ...field }: CustomField & { isChange: boolean },
    caller: Caller,
  ): Promise<CustomFieldDto | PendingAct> {
    if (fieldType === 'Select' && field.options.length === 0) {
      throw new BadRequestException('options must contain at least one option for the type Select');
    }
    if (fieldType !== 'Select' && field.options.length > 0) {
      throw new BadRequestException(
        `options must be empty for the type ${fieldType}: only Select has options`,
      );
    }
    const done = await this.acts.perform({ type: 'CustomFieldSaved', isChange, fieldType, ...field }, caller);
    return done instanceof PendingAct ? done : fieldView({ ...field, type: fieldType }, done.settings);
  }
}

const fieldView = (
  { createdAt, recognisedAt, ...field }: CustomField,
  { version }: Settings,
): CustomFieldDto => ({
  ...field,
  createdAt: isoTime(createdAt),
  recognisedAt: isoTime(recognisedAt),
  version,
});
