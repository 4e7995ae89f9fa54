import { t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import type { FindingType } from '../../parts/finding-type.ts';

type Settings = Api['SettingsDto'];
type Changeable = Required<
  Omit<
    Api['ChangeSettingsDto'],
    | 'version'
    | 'retirementDays'
    | 'historyRetentionDays'
    | 'incidentRates'
    | 'defaultDepartment'
    | 'defaultLocation'
  >
>;
type RatePath = `incidentRates.${keyof Api['IncidentRatesDto']}`;

/** The type of input. */
type Kind =
  | { is: 'number'; unit: string; min: number; max: number }
  | { is: 'choice'; options: Record<string, string> }
  | { is: 'switch' }
  | { is: 'text'; example: string }
  | { is: 'list'; example: string };

export interface Policy {
  /** Path in the body. */
  name: keyof Changeable | RatePath;
  label: string;
  /** Description of the policy. */
  hint: string;
  /** Effect of a change on stored data. */
  effect: string;
  kind: Kind;
}

export const DAYS = { is: 'number', unit: 'days', min: 1, max: 3_650 } as const;
const DAY_SECONDS = 86_400;

const RATE = { is: 'number', unit: 'per year', min: 0.0001, max: 0.9999 } as const;
const RATE_EFFECT = 'With posture-2, all assets are scored again from now on. Earlier scores stay.';
const RATE_HINT = 'Share of organizations with a significant incident within a year; posture-2 uses it.';

/** Days by finding type. */
export interface DaysByType {
  setting: 'retirementDays' | 'historyRetentionDays';
  title: string;
  hint: string;
  effect: string;
  kind: typeof DAYS | typeof HISTORY_DAYS;
  /** What no value means; undefined: a value is required. */
  withoutDays?: string;
}

const HISTORY_DAYS = { ...DAYS, min: 30 } as const;

export const HISTORY_RETENTION: DaysByType = {
  setting: 'historyRetentionDays',
  title: 'Retention of history',
  hint: 'Days until a change of a finding that a later change superseded is counted and removed. Findings and scores stay.',
  effect:
    'Older changes are removed within an hour, which cannot be undone: earlier times can no longer be shown.',
  kind: HISTORY_DAYS,
  withoutDays: 'For ever',
};

export const RETIREMENT: DaysByType = {
  setting: 'retirementDays',
  kind: DAYS,
  title: 'Finding retirement policy',
  hint: 'Days from the last signal of a finding until the finding expires, unless the signal specifies an expiry date.',
  effect:
    'A signal sets the expiry of its finding when it arrives. Stored findings keep their expiry until their next signal.',
};

/** All other policies, grouped; the page and the audit trail use the same order. */
export const GROUPS: readonly { title: string; policies: readonly Policy[] }[] = [
  {
    title: 'Retention',
    policies: [
      {
        name: 'retentionDays',
        label: 'Retention period',
        hint: 'A finding without signals for this period is retired, even if it expires later.',
        effect:
          'Stored findings keep their period until their next signal. For assets without data the new value applies immediately.',
        kind: DAYS,
      },
      {
        name: 'deleteAssetsWithoutData',
        label: 'Delete assets without data',
        hint: 'An asset with no active findings and no updates within the retention period is deleted. Its history remains available. If a source reports it again, it keeps its identity.',
        effect:
          'If turned on, assets that have been idle for longer than the retention period are deleted within minutes.',
        kind: { is: 'switch' },
      },
    ],
  },
  {
    title: 'Assets',
    policies: [
      {
        name: 'assetMatching',
        label: 'Asset matching',
        hint: 'By host name, web01, web01.acme.com and web01.lab.acme.com are one asset. By full domain name, the last two are separate assets.',
        effect: 'Applies to new signals. Stored assets are neither split nor merged.',
        kind: {
          is: 'choice',
          options: { name: 'By host name (the first label)', fqdn: 'By full domain name' },
        },
      },
      {
        name: 'customFieldRecognitionDelaySeconds',
        label: 'Custom field recognition delay',
        hint: 'Delay after the creation of a custom field until tags set it. Until then, the tags are stored as plain tags.',
        effect: 'Applies to new custom fields.',
        kind: { is: 'number', unit: 'seconds', min: 0, max: DAY_SECONDS },
      },
    ],
  },
  {
    title: 'Uploads',
    policies: [
      {
        name: 'platformVersion',
        label: 'Platform version',
        hint: 'Below 4.1, the service rejects uploads with a vulnerability that has no CVE and no ATT&CK technique.',
        effect: 'Applies to new uploads.',
        kind: { is: 'text', example: '4.1' },
      },
      {
        name: 'maxLagSeconds',
        label: 'Reject uploads when processing lags by',
        hint: 'If the service is further behind with accepted uploads, it rejects new uploads and asks clients to retry later.',
        effect: 'Takes effect immediately. Stored data does not change.',
        kind: { is: 'number', unit: 'seconds', min: 10, max: DAY_SECONDS },
      },
      {
        name: 'clockSkewSecondsMax',
        label: 'Maximum clock difference',
        hint: 'If the clock of a program differs more from the database clock, the program accepts no uploads and retires no findings until the clock is correct.',
        effect: 'Takes effect immediately. Stored data does not change.',
        kind: { is: 'number', unit: 'seconds', min: 1, max: 3_600 },
      },
      {
        name: 'jsonRequestsPerMinute',
        label: 'Single signals per minute',
        hint: 'Maximum number of single signals per minute from all senders. ZIP uploads do not count.',
        effect: 'Takes effect immediately. Stored data does not change.',
        kind: { is: 'number', unit: 'per minute', min: 1, max: 1_000_000 },
      },
      {
        name: 'jsonDailyPolicy',
        label: 'After 100 single signals in 24 hours',
        hint: 'Response to senders that send many single signals instead of ZIP files.',
        effect: 'Takes effect immediately. Stored data does not change.',
        kind: {
          is: 'choice',
          options: { advise: 'Accept and recommend ZIP files', enforce: 'Reject' },
        },
      },
    ],
  },
  {
    title: 'Scores',
    policies: [
      {
        name: 'scoringModel',
        label: 'Scoring model',
        hint: 'posture-2 considers reach, controls and detections, and states likelihoods with an interval. Scores of two models cannot be compared.',
        effect: 'All assets are scored again from now on. Earlier scores keep their model.',
        kind: { is: 'choice', options: { 'posture-1': 'posture-1', 'posture-2': 'posture-2' } },
      },
      {
        name: 'incidentRates.low',
        label: 'Incident rate, low',
        hint: `${RATE_HINT} The lowest plausible value.`,
        effect: RATE_EFFECT,
        kind: RATE,
      },
      {
        name: 'incidentRates.best',
        label: 'Incident rate, best',
        hint: `${RATE_HINT} The most likely value.`,
        effect: RATE_EFFECT,
        kind: { ...RATE, max: 0.9 },
      },
      {
        name: 'incidentRates.high',
        label: 'Incident rate, high',
        hint: `${RATE_HINT} The highest plausible value.`,
        effect: RATE_EFFECT,
        kind: RATE,
      },
    ],
  },
  {
    title: 'Integrations',
    policies: [
      {
        name: 'egressAllow',
        label: 'Allowed internal addresses',
        hint: 'Integrations can connect only to public addresses and to the addresses, networks or host names in this list. Press Enter after each entry. Maximum 100 entries.',
        effect:
          'Applies to new connections. Secrets are sent to these addresses if an integration uses them.',
        kind: { is: 'list', example: '10.0.0.0/8 or inventory.corp.example' },
      },
      {
        name: 'trustedSources',
        label: 'Trusted sources of asset data',
        hint: 'If sources disagree on an asset, the value of the first source in this list is shown, otherwise the newest. Press Enter after each name. Maximum 20 names.',
        effect: 'Applies to an asset when one of its sources describes it again.',
        kind: { is: 'list', example: 'EDR' },
      },
    ],
  },
];

const POLICIES: ReadonlyMap<string, Policy> = new Map(
  GROUPS.flatMap(({ policies }) => policies).map((policy) => [policy.name, policy]),
);

export const policyNamed = (name: string): Policy | undefined => POLICIES.get(name);

const DIGITS_MAX = { maximumFractionDigits: 6 };

/** With the fraction of a small share. */
export const numberText = (value: number): string => value.toLocaleString(undefined, DIGITS_MAX);

/** A value as text. */
export function valueText(kind: Kind, value: unknown): string {
  if (kind.is === 'switch') return value ? t`On` : t`Off`;
  if (kind.is === 'number' && typeof value === 'number') return `${numberText(value)} ${kind.unit}`;
  if (kind.is === 'choice') return kind.options[String(value)] ?? String(value);
  if (Array.isArray(value)) return value.length === 0 ? t`None` : value.join(', ');
  return String(value);
}

/** Unsaved values by path in the body; an empty number field is ''. */
export type Draft = Partial<Record<string, unknown>>;

export const daysPath = (setting: DaysByType['setting'], type: FindingType) => `${setting}.${type}`;

export function valueAt(settings: Settings, path: string): unknown {
  const [name, part] = path.split('.') as [keyof Settings, string | undefined];
  return part ? ((settings[name] as unknown as Record<string, unknown>)[part] ?? null) : settings[name];
}

/** The draft without unchanged values. */
export const changesOf = (draft: Draft, settings: Settings): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(
      ([path, value]) => JSON.stringify(value) !== JSON.stringify(valueAt(settings, path)),
    ),
  );

/** The body of the request. The incident rates are sent together. */
export function bodyOf(changes: Draft, { incidentRates }: Settings): Api['ChangeSettingsDto'] {
  const body: Record<string, unknown> = {};
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [name = '', part] = path.split('.');
    if (part)
      parts[name] = { ...(parts[name] ?? (name === 'incidentRates' ? incidentRates : {})), [part]: value };
    else body[name] = value;
  }
  return { ...body, ...parts };
}
