import {
  type AssetTyping,
  type CustomFieldType,
  FINDING_TYPES,
  type FindingType,
  type OsMapping,
  type OwnerRule,
} from './events.ts';
import type { LossRanges } from './scoring/posture2/loss/loss-ranges.ts';
import { DEFAULT_INCIDENT_RATES, type IncidentRates } from './scoring/posture2/targeting.ts';
import type { ScoringModel } from './scoring/scoring-model.ts';
import { DEFAULT_OS_MAPPING } from './signal/default-os-mapping.ts';
import { typingByOs, typingOf } from './signal/os-mapping.ts';
import type { Sla } from './sla/sla.ts';

/** A field that a tag may fill once it is recognised. */
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

/** The settings for the edge's decisions (R-FOLD-1): every event is stamped with their version. */
export interface Settings {
  /** Counts the changes; 0: never changed. */
  version: number;
  /** See R-ASSET-2. */
  assetMatching: 'name' | 'fqdn';
  /** The Finding Retirement Policy: days until a finding without `expiresAt` expires. */
  retirementDays: Record<FindingType, number>;
  /** Days without a signal until a finding is retired, independent of its expiry. */
  retentionDays: number;
  /** Apply to assets for which no source gives one. */
  defaultDepartment: string;
  defaultLocation: string;
  /** Below 4.1, a va signal needs a CVE or a TTP. */
  platformVersion: string;
  /** Whether assets without active findings and without an update within the retention are deleted. */
  deleteAssetsWithoutData: boolean;
  /** Limit of the JSON endpoint, for all gateways together. */
  jsonRequestsPerMinute: number;
  /** The reaction to more than 100 JSON signals of one credential within 24 hours. */
  jsonDailyPolicy: 'advise' | 'enforce';
  /** From the creation of a custom field until tags fill it. */
  customFieldRecognitionDelaySeconds: number;
  /** Hosts and networks that integrations may reach although they are not public. */
  egressAllow: string[];
  /** Uploads are rejected while the fold is further behind. */
  maxLagSeconds: number;
  /**
   * Seconds that a program's clock may differ from the reference clock before it stamps and sweeps nothing. Left out until
   * it is set, as in the states that were folded before there was the setting: see `settingsInForce`.
   */
  clockSkewSecondsMax?: number;
  /**
   * The model that computes scores from the event of the change on. Left out, as above, until a change or the opening of
   * the log sets it.
   */
  scoringModel?: ScoringModel;
  /** Of posture-2: shares of organizations with a significant incident within a year. Left out until they are set. */
  incidentRates?: IncidentRates;
  /** What a compromised asset may cost; null: amounts are not shown. Left out until they are set. */
  lossRanges?: LossRanges | null;
  /**
   * Sources whose statements about assets take precedence over those of others, the first most. Left out until it is set.
   */
  trustedSources?: string[];
  /**
   * Days that the history of findings is kept, by type; null or a type left out: for ever. Left out until it is set.
   */
  historyRetentionDays?: Partial<Record<FindingType, number | null>>;
  /** Days until findings are due; null: only users set due dates. Left out until it is set. */
  sla?: Sla | null;
  /** Who is responsible for assets, the first that matches. Names of users are sealed. Left out until they are set. */
  ownerRules?: OwnerRule[];
  customFields: CustomField[];
  osMapping: OsMapping;
}

/** The settings that `SettingsChanged` changes; the others have separate events. */
export type ChangeableSettings = Omit<Settings, 'version' | 'customFields' | 'osMapping' | 'ownerRules'>;

const RETIREMENT_DAYS = 90;

/** The settings before the first change. The fold begins with them: a changed default is a changed meaning (R-CFG-2). */
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
const LATER_DEFAULTS = {
  clockSkewSecondsMax: 60,
  scoringModel: 'posture-1',
  incidentRates: DEFAULT_INCIDENT_RATES,
  lossRanges: null,
  trustedSources: [],
  historyRetentionDays: {},
  sla: null,
  ownerRules: [],
} satisfies Partial<Settings>;

/** The settings with a value each. */
export const settingsInForce = (settings: Settings): Required<Settings> => ({
  ...LATER_DEFAULTS,
  ...settings,
});

/** One of `settingsInForce`, for a reader of each signal: copying all settings would take most of its time. */
export const trustedSourcesOf = ({ trustedSources }: Settings): string[] =>
  trustedSources ?? LATER_DEFAULTS.trustedSources;

/** The type of users, independent of the sender's. */
export const USER_TYPING: AssetTyping = {
  type: 'User',
  attackSurface: 'People',
  supports: ['finding', 'uba', 'others'],
};

/** Asset type of a machine by its operating system, through the mapping; its default for null or an unknown one. */
export const assetTyping = (os: string | null, { osMapping }: Pick<Settings, 'osMapping'>): AssetTyping =>
  (os === null ? null : typingByOs(os, osMapping)) ?? typingOf(osMapping.default);

/** Whether the platform version is at least the one given, both as `4.1`. */
export function isPlatformAtLeast(
  version: string,
  { platformVersion }: Pick<Settings, 'platformVersion'>,
): boolean {
  const wanted = version.split('.').map(Number);
  const actual = platformVersion.split('.').map(Number);
  const differs = wanted.findIndex((part, i) => part !== (actual[i] ?? 0));
  return differs < 0 || (actual[differs] ?? 0) > wanted[differs]!;
}
