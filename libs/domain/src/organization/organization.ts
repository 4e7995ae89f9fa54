import type { IntegrationSubType, IntegrationType, OptionList } from '../events.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { uuidV5 } from '../uuid-v5.ts';

/** The entity key of all acts on the organization as a whole, which gives them one order (R-ENT-8). */
export const ORGANIZATION_KEY = 'org:settings';

const PARTITION_KEY = 'log:';

/** Key of events about a partition itself, which are stored in it whatever the hash of the key. */
export const partitionKey = (partition: number): string => `${PARTITION_KEY}${partition}`;

export const isPartitionKey = (key: string): boolean => key.startsWith(PARTITION_KEY);

/** A department or a location that assets may have. */
export interface AssetOption {
  id: string;
  name: string;
  /** Applies to assets for which no source gives one (R-ASSET-8); exactly one of a list. */
  isDefault: boolean;
}

/** A source of pulled signals; its secrets and syncs are not in the log (R-LOG-10). */
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

/** A remediation plan, as changes of it are decided on. The audit trail has its content. */
export interface PlanHead {
  id: string;
  /** Counts its changes, from 1. */
  version: number;
  /** Unique among plans, in any case. */
  name: string;
}

/** The decisions of the organization, as the fold of its events. */
export interface Organization extends Record<OptionList, AssetOption[]> {
  settings: Settings;
  /** Version of the settings in which the mapping was last replaced; 0: never. */
  mappingVersion: number;
  /** Sorted by name. Undefined without integrations, as in states folded before integrations existed. */
  integrations?: Integration[];
  /** As `integrations`. */
  plans?: PlanHead[];
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
