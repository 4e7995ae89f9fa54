import type {
  CatalogueImported,
  CustomFieldRemoved,
  CustomFieldSaved,
  OptionList,
  OptionRemoved,
  OptionSaved,
  OrganizationPayload,
  OsMappingReplaced,
  OwnerRulesReplaced,
  SettingsChanged,
  WebhookChanged,
} from '../events.ts';
import { type ChangeableSettings, DEFAULT_SETTINGS, type Settings, settingsInForce } from '../settings.ts';
import { byName, isSameName } from './names.ts';
import type { AssetOption, Organization } from './organization.ts';
import { type OrganizationOutcome, refuse } from './organization-outcome.ts';
import { readJson } from './read-json.ts';
import { removeIntegration, saveIntegration } from './save-integration.ts';
import { removePlan, savePlan } from './save-plan.ts';

const OPTION_LISTS = ['departments', 'locations'] as const;
const OF_OTHER_EVENTS = new Set([
  'version',
  'defaultDepartment',
  'defaultLocation',
  'customFields',
  'osMapping',
  'ownerRules',
]);
const CHANGEABLE: ReadonlySet<string> = new Set(
  Object.keys(settingsInForce(DEFAULT_SETTINGS)).filter((name) => !OF_OTHER_EVENTS.has(name)),
);

/** The next state of the organization, with the act's changes for the audit trail; pure. */
export function changeOrganization(
  organization: Organization,
  payload: OrganizationPayload,
): OrganizationOutcome {
  switch (payload.type) {
    case 'SettingsChanged':
      return changeSettings(organization, payload);
    case 'OptionSaved':
      return saveOption(organization, payload);
    case 'OptionRemoved':
      return removeOption(organization, payload);
    case 'CustomFieldSaved':
      return saveCustomField(organization, payload);
    case 'CustomFieldRemoved':
      return removeCustomField(organization, payload);
    case 'OsMappingReplaced':
      return replaceOsMapping(organization, payload);
    case 'OwnerRulesReplaced':
      return replaceOwnerRules(organization, payload);
    case 'IntegrationSaved':
      return saveIntegration(organization, payload);
    case 'IntegrationRemoved':
      return removeIntegration(organization, payload);
    case 'PlanSaved':
      return savePlan(organization, payload);
    case 'PlanRemoved':
      return removePlan(organization, payload);
    case 'WebhookChanged':
      return { organization, before: null, after: webhookDetailsOf(payload), refused: null };
    case 'CatalogueImported':
      return { organization, before: null, after: importDetailsOf(payload), refused: null };
    case 'CredentialChanged':
    case 'SyncRequested': {
      const { type: _, ...told } = payload;
      return { organization, before: null, after: told, refused: null };
    }
  }
}

const webhookDetailsOf = ({ webhookId, details }: WebhookChanged) => ({
  webhookId,
  ...Object.fromEntries(Object.entries(details).map(([field, json]) => [field, readJson(json)])),
});

/** As imports without an earlier instant were recorded before there were others. */
const importDetailsOf = ({ type: _, effectiveFrom, ...details }: CatalogueImported) => ({
  ...details,
  ...(typeof effectiveFrom === 'number' && { effectiveFrom }),
});

/** Every change of the edge's settings is a new version, which orders decisions (R-ASSET-16). */
const withSettings = (organization: Organization, changes: Partial<Settings>): Organization => ({
  ...organization,
  settings: { ...organization.settings, ...changes, version: organization.settings.version + 1 },
});

function changeSettings(organization: Organization, { changes, seenVersion }: SettingsChanged) {
  const { settings } = organization;
  if (seenVersion !== null && seenVersion !== settings.version) return refuse('stale');
  const defaults = chosenDefaults(organization, changes);
  if (defaults === null) return refuse('unknown');
  const after = { ...readChanges(changes), ...defaults.settings };
  const inForce = settingsInForce(settings);
  const before = Object.fromEntries(
    Object.keys(after).map((name) => [name, inForce[name as keyof Settings] ?? null]),
  );
  return {
    organization: withSettings({ ...organization, ...defaults.options }, after),
    before,
    after,
    refused: null,
  };
}

const DEFAULT_OF = { departments: 'defaultDepartment', locations: 'defaultLocation' } as const;

/** The lists and settings in which an option, named in any case, is made the default; null if it is not in its list. */
function chosenDefaults(
  organization: Organization,
  changes: Record<string, string>,
): { options: Partial<Record<OptionList, AssetOption[]>>; settings: Partial<Settings> } | null {
  const options: Partial<Record<OptionList, AssetOption[]>> = {};
  const settings: Partial<Settings> = {};
  for (const list of OPTION_LISTS) {
    const name = readJson(changes[DEFAULT_OF[list]] ?? 'null');
    if (typeof name !== 'string') continue;
    const chosen = organization[list].find((option) => isSameName(option.name, name));
    if (!chosen) return null;
    options[list] = organization[list].map((option) => ({ ...option, isDefault: option === chosen }));
    settings[DEFAULT_OF[list]] = chosen.name;
  }
  return { options, settings };
}

/** An unknown setting or invalid JSON changes nothing: the fold is total (R-FOLD-2), and the edge writes neither. */
function readChanges(changes: Record<string, string>): Partial<ChangeableSettings> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, json]) => {
      const value = CHANGEABLE.has(name) ? readJson(json) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A change does not restore an option that was removed since (R-FOLD-6). */
function saveOption(organization: Organization, { list, id, isChange, ...given }: OptionSaved) {
  const known = organization[list].find((option) => option.id === id) ?? null;
  const name = given.name ?? known?.name;
  const isDefault = given.isDefault ?? known?.isDefault ?? false;
  if (name === undefined || (isChange && !known)) return refuse('unknown');
  const isTaken = organization[list].some((option) => option.id !== id && isSameName(option.name, name));
  if (isTaken) return refuse('nameTaken');
  if (known?.isDefault && !isDefault) return refuse('isDefault');
  const saved: AssetOption = { id, name, isDefault };
  const others = organization[list]
    .filter((option) => option.id !== id)
    .map((option) => (isDefault ? { ...option, isDefault: false } : option));
  return {
    organization: withOptions(organization, list, [...others, saved]),
    before: known,
    after: saved,
    refused: null,
  };
}

function removeOption(organization: Organization, { list, id }: OptionRemoved) {
  const known = organization[list].find((option) => option.id === id);
  if (!known) return refuse('unknown');
  if (known.isDefault) return refuse('isDefault');
  const left = organization[list].filter((option) => option !== known);
  return { organization: withOptions(organization, list, left), before: known, after: null, refused: null };
}

function withOptions(organization: Organization, list: OptionList, options: AssetOption[]): Organization {
  const sorted = options.toSorted(byName);
  const { name } = sorted.find(({ isDefault }) => isDefault)!;
  return withSettings({ ...organization, [list]: sorted }, { [DEFAULT_OF[list]]: name });
}

/** As `saveOption`. */
function saveCustomField(
  organization: Organization,
  { type: _, isChange, fieldType, ...field }: CustomFieldSaved,
) {
  const { customFields } = organization.settings;
  const known = customFields.find(({ id }) => id === field.id) ?? null;
  if (isChange && !known) return refuse('unknown');
  if (customFields.some(({ id, name }) => id !== field.id && name === field.name)) return refuse('nameTaken');
  const saved = { ...field, type: fieldType };
  const fields = [...customFields.filter((other) => other !== known), saved].toSorted(byName);
  return {
    organization: withSettings(organization, { customFields: fields }),
    before: known,
    after: saved,
    refused: null,
  };
}

function removeCustomField(organization: Organization, { id }: CustomFieldRemoved) {
  const { customFields } = organization.settings;
  const known = customFields.find((field) => field.id === id);
  if (!known) return refuse('unknown');
  const left = customFields.filter((field) => field !== known);
  return {
    organization: withSettings(organization, { customFields: left }),
    before: known,
    after: null,
    refused: null,
  };
}

function replaceOsMapping(
  organization: Organization,
  { mappings, default: fallback, seenVersion }: OsMappingReplaced,
) {
  const { settings } = organization;
  if (seenVersion !== null && seenVersion !== settings.version) return refuse('stale');
  const osMapping = { mappings, default: fallback };
  const changed = withSettings(organization, { osMapping });
  return {
    organization: { ...changed, mappingVersion: changed.settings.version },
    before: settings.osMapping,
    after: osMapping,
    refused: null,
  };
}

function replaceOwnerRules(organization: Organization, { rules, seenVersion }: OwnerRulesReplaced) {
  const { settings } = organization;
  if (seenVersion !== null && seenVersion !== settings.version) return refuse('stale');
  return {
    organization: withSettings(organization, { ownerRules: rules }),
    before: { ownerRules: settingsInForce(settings).ownerRules },
    after: { ownerRules: rules },
    refused: null,
  };
}
