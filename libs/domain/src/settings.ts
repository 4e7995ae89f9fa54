import {
  type AssetTyping,
  type CustomFieldType,
  FINDING_TYPES,
  type FindingType,
  type OsMapping,
} from './events.ts';
import { DEFAULT_OS_MAPPING } from './signal/default-os-mapping.ts';
import { typingByOs, typingOf } from './signal/os-mapping.ts';

/** A field that a tag may fill once it is recognised (D7). */
export interface CustomField {
  id: string;
  /** Compared exactly with the tag's key. */
  name: string;
  type: CustomFieldType;
  multiValued: boolean;
  /** Values that a `Select` takes; empty for the other types. */
  options: string[];
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds: signals received from then on fill it. */
  recognisedAt: number;
}

/** What the edge decides with (rule 1): every event is stamped with the version. */
export interface Settings {
  /** Counts the changes; 0: nobody has changed anything. */
  version: number;
  /** D2. */
  assetMatching: 'name' | 'fqdn';
  /** The Finding Retirement Policy: days until a finding without `expiresAt` expires (D14). */
  retirementDays: Record<FindingType, number>;
  /** Days without a signal until a finding is retired, whatever its expiry (D15). */
  retentionDays: number;
  /** Fill what no source has given (D5). */
  defaultDepartment: string;
  defaultLocation: string;
  /** Below 4.1 a va signal needs a CVE or a TTP (D20). */
  platformVersion: string;
  /** Assets without active findings and without an update within the retention are deleted (D15). */
  deleteAssetsWithoutData: boolean;
  /** Of the JSON endpoint, for all gateways together (D19). */
  jsonRequestsPerMinute: number;
  /** What follows more than 100 JSON signals of one credential within 24 hours (D19). */
  jsonDailyPolicy: 'advise' | 'enforce';
  /** From the creation of a custom field until tags fill it (D7). */
  customFieldRecognitionDelaySeconds: number;
  /** Hosts and networks that integrations may reach although they are not public (D27). */
  egressAllow: string[];
  /** Uploads are held back while the fold is further behind (D19). */
  maxLagSeconds: number;
  /**
   * Seconds that a program's clock may differ from the reference clock before it stamps and sweeps nothing. Left out until
   * it is set, as in the states that were folded before there was the setting: see `settingsInForce`.
   */
  clockSkewSecondsMax?: number;
  customFields: CustomField[];
  osMapping: OsMapping;
}

/** What `SettingsChanged` changes; the rest has events of its own. */
export type ChangeableSettings = Omit<Settings, 'version' | 'customFields' | 'osMapping'>;

const RETIREMENT_DAYS = 90;

/** Before anybody has changed anything. The fold begins with them: a changed default is a changed meaning (rule 2). */
export const DEFAULT_SETTINGS: Settings = {
  version: 0,
  assetMatching: 'name',
  retirementDays: Object.fromEntries(FINDING_TYPES.map((type) => [type, RETIREMENT_DAYS])) as Record<
    FindingType,
    number
  >,
  retentionDays: 90,
  defaultDepartment: 'Unassigned',
  defaultLocation: 'Unassigned',
  platformVersion: '4.1',
  deleteAssetsWithoutData: true,
  jsonRequestsPerMinute: 6000,
  jsonDailyPolicy: 'advise',
  customFieldRecognitionDelaySeconds: 900,
  egressAllow: [],
  maxLagSeconds: 300,
  customFields: [],
  osMapping: DEFAULT_OS_MAPPING,
};

/** Defaults of settings that came after a release: a state that is folded again must not differ by them. */
const LATER_DEFAULTS = { clockSkewSecondsMax: 60 };

/** The settings with a value each. */
export const settingsInForce = (settings: Settings): Required<Settings> => ({
  ...LATER_DEFAULTS,
  ...settings,
});

/** How users are typed, whatever a sender calls them. */
export const USER_TYPING: AssetTyping = {
  type: 'User',
  attackSurface: 'People',
  supports: ['finding', 'uba', 'others'],
};

/** Asset type of a machine by its operating system, through the mapping; its default for null or an unknown one. */
export const assetTyping = (os: string | null, { osMapping }: Pick<Settings, 'osMapping'>): AssetTyping =>
  (os === null ? null : typingByOs(os, osMapping)) ?? typingOf(osMapping.default);

/** Whether the platform version is at least the one given, both as `4.1` (D20). */
export function isPlatformAtLeast(
  version: string,
  { platformVersion }: Pick<Settings, 'platformVersion'>,
): boolean {
  const wanted = version.split('.').map(Number);
  const actual = platformVersion.split('.').map(Number);
  const differs = wanted.findIndex((part, i) => part !== (actual[i] ?? 0));
  return differs < 0 || (actual[differs] ?? 0) > wanted[differs]!;
}
