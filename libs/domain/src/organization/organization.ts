import type { IntegrationSubType, IntegrationType, OptionList } from '../events.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { uuidV5 } from '../uuid-v5.ts';

/** The entity key of all that is decided for the organization as a whole: one order for all of it (design "Events and the fold"). */
export const ORGANIZATION_KEY = 'org:settings';

/** A department or a location that assets may have (spec §Asset metadata, 1). */
export interface AssetOption {
  id: string;
  name: string;
  /** The one that fills what no source has given (D5); exactly one of a list. */
  isDefault: boolean;
}

/** Where signals are pulled from (D28); its secrets and syncs are beside the log. */
export interface Integration {
  id: string;
  /** Counts its changes, from 1. */
  version: number;
  type: IntegrationType;
  subType: IntegrationSubType;
  /** Unique among integrations, in any case. */
  name: string;
  /** The name that its signals come under, and that stays when it is renamed; unique as well. */
  source: string;
  /** Field → value, as checked at the edge. */
  config: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What the organization has decided, as the fold of its events. */
export interface Organization extends Record<OptionList, AssetOption[]> {
  settings: Settings;
  /** Version of the settings in which the mapping was last replaced; 0: never. */
  mappingVersion: number;
  /** By name; left out while there is none, as in the states that were folded before there were any. */
  integrations?: Integration[];
}

const optionId = uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a05');
const defaultOption = (list: OptionList, name: string): AssetOption => ({
  id: optionId(`${list}\n${name}`),
  name,
  isDefault: true,
});

/** Before anybody has decided anything. */
export const initialOrganization = (): Organization => ({
  settings: DEFAULT_SETTINGS,
  mappingVersion: 0,
  departments: [defaultOption('departments', DEFAULT_SETTINGS.defaultDepartment)],
  locations: [defaultOption('locations', DEFAULT_SETTINGS.defaultLocation)],
});
