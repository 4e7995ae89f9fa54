import { BadRequestException, Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  isSameName,
  type OptionList,
  posture2,
  type Settings,
  settingsInForce,
  slaProblem,
} from '#libs/domain';
import { MayBePending } from '../acts/pending.interceptor.ts';
import { PendingAct } from '../acts/pending-act.ts';
import { CalledBy, type Caller } from '../auth/caller.ts';
import { RequiresScope } from '../auth/scopes.ts';
import { lossRangesOf, lossRows, lossRowsProblem } from './loss-rows.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';
import { ChangeSettingsDto, SettingsDto } from './settings.dto.ts';

@ApiTags('settings')
@ApiBearerAuth()
@Controller('api/v3/settings')
@RequiresScope('settings:read')
export class SettingsController {
  constructor(
    private readonly organization: OrganizationStore,
    private readonly acts: OrganizationActs,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Returns all settings' })
  @ApiOkResponse({ type: SettingsDto })
  get(): SettingsDto {
    return settingsView(this.organization.current.settings);
  }

  @Patch()
  @RequiresScope('settings:write')
  @ApiOperation({ summary: 'Changes settings. Omitted settings keep their values' })
  @ApiOkResponse({ type: SettingsDto })
  @MayBePending()
  @ApiConflictResponse({ description: 'The settings have changed since `version`' })
  async change(
    @Body() { version, ...given }: ChangeSettingsDto,
    @CalledBy() caller: Caller,
  ): Promise<SettingsDto | PendingAct> {
    const { settings } = this.organization.current;
    this.assertOption('departments', 'defaultDepartment', given.defaultDepartment);
    this.assertOption('locations', 'defaultLocation', given.defaultLocation);
    assertBaseRate(given.baseRate);
    assertLoss(given.loss);
    assertSla(given.sla);
    const changes = changesOf(given, settings);
    // The types left out are of the version that was read here.
    const seenVersion =
      version ?? (given.retirementDays || given.historyRetentionDays ? settings.version : null);
    const done = await this.acts.perform({ type: 'SettingsChanged', seenVersion, changes }, caller);
    return done instanceof PendingAct ? done : settingsView(done.settings);
  }

  /** @throws BadRequestException for a name that is not in the list */
  private assertOption(list: OptionList, setting: string, name: string | undefined): void {
    if (name === undefined || this.organization.current[list].some((option) => isSameName(option.name, name)))
      return;
    throw new BadRequestException(
      `${setting} must be the name of one of the ${list} (got ${JSON.stringify(name)})`,
    );
  }
}

/** @throws BadRequestException if its rates contradict each other */
function assertBaseRate(rates: ChangeSettingsDto['baseRate']): void {
  const problem = rates && posture2.incidentRatesProblem(rates);
  if (problem) throw new BadRequestException(`baseRate: ${problem}`);
}

/** @throws BadRequestException if its rows contradict themselves or each other */
function assertLoss(rows: ChangeSettingsDto['loss']): void {
  const problem = rows && lossRowsProblem(rows);
  if (problem) throw new BadRequestException(problem);
}

/** @throws BadRequestException if it has no days */
function assertSla(sla: ChangeSettingsDto['sla']): void {
  const problem = sla && slaProblem(sla);
  if (problem) throw new BadRequestException(`sla: ${problem}`);
}

/** In the names of the log. @throws BadRequestException if there are none */
function changesOf(given: Omit<ChangeSettingsDto, 'version'>, settings: Settings): Record<string, string> {
  const { retirementDays, historyRetentionDays, baseRate, loss, ...others } = given;
  const changes = Object.entries({
    ...others,
    incidentRates: baseRate,
    lossRanges: loss && lossRangesOf(loss),
    ...(retirementDays && { retirementDays: { ...settings.retirementDays, ...retirementDays } }),
    ...(historyRetentionDays && {
      historyRetentionDays: { ...settings.historyRetentionDays, ...historyRetentionDays },
    }),
  }).filter(([, value]) => value !== undefined);
  if (changes.length === 0) throw new BadRequestException('the body must contain at least one setting');
  return Object.fromEntries(changes.map(([name, value]) => [name, JSON.stringify(value)]));
}

function settingsView(settings: Settings): SettingsDto {
  const { customFields: _, osMapping: __, ownerRules: ___, ...view } = settingsInForce(settings);
  const { incidentRates: baseRate, lossRanges, ...others } = view;
  return { ...others, baseRate, loss: lossRows(lossRanges) };
}
