import { plural, t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
import type { FindingType } from '../../parts/finding-type.ts';

type Settings = Api['SettingsDto'];
type Changeable = Required<
  Omit<
    Api['ChangeSettingsDto'],
    | 'version'
    | 'retirementDays'
    | 'historyRetentionDays'
    | 'baseRate'
    | 'defaultDepartment'
    | 'defaultLocation'
  >
>;
type RatePath = `baseRate.${keyof Api['BaseRateDto']}`;

type Unit = 'days' | 'seconds' | 'perMinute' | 'perYear';

/** The type of input. */
type Kind =
  | { is: 'number'; unit: Unit; min: number; max: number }
  | { is: 'choice'; options: Record<string, string> }
  | { is: 'switch' }
  | { is: 'text'; example: string }
  | { is: 'list' | 'names'; example: string };

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
const SOURCE_EXAMPLE = 'EDR';

const RATE = { is: 'number', unit: 'perYear', min: 0.0001, max: 0.9999 } as const;

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

const historyRetention = (): DaysByType => ({
  setting: 'historyRetentionDays',
  title: t`Retention of history`,
  hint: t`Days until a change of a finding that a later change superseded is counted and removed. Findings and scores stay.`,
  effect: t`Older changes are removed within an hour, which cannot be undone: earlier times can no longer be shown.`,
  kind: HISTORY_DAYS,
  withoutDays: t`For ever`,
});

const retirement = (): DaysByType => ({
  setting: 'retirementDays',
  kind: DAYS,
  title: t`Finding retirement policy`,
  hint: t`Days from the last signal of a finding until the finding expires, unless the signal specifies an expiry date.`,
  effect: t`A signal sets the expiry of its finding when it arrives. Stored findings keep their expiry until their next signal.`,
});

export const daysByType = (): readonly DaysByType[] => [retirement(), historyRetention()];

/** All other policies, grouped; the page and the audit trail use the same order. */
export const groups = (): readonly { title: string; policies: readonly Policy[] }[] => [
  {
    title: t`Retention`,
    policies: [
      {
        name: 'retentionDays',
        label: t`Retention period`,
        hint: t`A finding without signals for this period is retired, even if it expires later.`,
        effect: t`Stored findings keep their period until their next signal. For assets without data the new value applies immediately.`,
        kind: DAYS,
      },
      {
        name: 'deleteAssetsWithoutData',
        label: t`Delete assets without data`,
        hint: t`An asset with no active findings and no updates within the retention period is deleted. Its history remains available. If a source reports it again, it keeps its identity.`,
        effect: t`If turned on, assets that have been idle for longer than the retention period are deleted within minutes.`,
        kind: { is: 'switch' },
      },
    ],
  },
  {
    title: t`Assets`,
    policies: [
      {
        name: 'assetMatching',
        label: t`Asset matching`,
        hint: t`By host name, web01, web01.acme.com and web01.lab.acme.com are one asset. By full domain name, the last two are separate assets.`,
        effect: t`Applies to new signals. Stored assets are neither split nor merged.`,
        kind: {
          is: 'choice',
          options: { name: t`By host name (the first label)`, fqdn: t`By full domain name` },
        },
      },
      {
        name: 'customFieldRecognitionDelaySeconds',
        label: t`Custom field recognition delay`,
        hint: t`Delay after the creation of a custom field until tags set it. Until then, the tags are stored as plain tags.`,
        effect: t`Applies to new custom fields.`,
        kind: { is: 'number', unit: 'seconds', min: 0, max: DAY_SECONDS },
      },
    ],
  },
  {
    title: t`Uploads`,
    policies: [
      {
        name: 'platformVersion',
        label: t`Platform version`,
        hint: t`Below 4.1, the service rejects uploads with a vulnerability that has no CVE and no ATT&CK technique.`,
        effect: t`Applies to new uploads.`,
        kind: { is: 'text', example: '4.1' },
      },
      {
        name: 'maxLagSeconds',
        label: t`Reject uploads when processing lags by`,
        hint: t`If the service is further behind with accepted uploads, it rejects new uploads and asks clients to retry later.`,
        effect: t`Takes effect immediately. Stored data does not change.`,
        kind: { is: 'number', unit: 'seconds', min: 10, max: DAY_SECONDS },
      },
      {
        name: 'clockSkewSecondsMax',
        label: t`Maximum clock difference`,
        hint: t`If the clock of a program differs more from the database clock, the program accepts no uploads and retires no findings until the clock is correct.`,
        effect: t`Takes effect immediately. Stored data does not change.`,
        kind: { is: 'number', unit: 'seconds', min: 1, max: 3_600 },
      },
      {
        name: 'jsonRequestsPerMinute',
        label: t`Single signals per minute`,
        hint: t`Maximum number of single signals per minute from all senders. ZIP uploads do not count.`,
        effect: t`Takes effect immediately. Stored data does not change.`,
        kind: { is: 'number', unit: 'perMinute', min: 1, max: 1_000_000 },
      },
      {
        name: 'jsonDailyPolicy',
        label: t`After 100 single signals in 24 hours`,
        hint: t`Response to senders that send many single signals instead of ZIP files.`,
        effect: t`Takes effect immediately. Stored data does not change.`,
        kind: {
          is: 'choice',
          options: {
            advise: t`Accept and recommend ZIP files`,
            enforce: t({ message: 'Reject', context: 'uploads' }),
          },
        },
      },
    ],
  },
  {
    title: t`Scores`,
    policies: [
      {
        name: 'scoringModel',
        label: t`Scoring model`,
        hint: t`posture-2 considers reach, controls and detections, and states likelihoods with an interval. Scores of two models cannot be compared.`,
        effect: t`All assets are scored again from now on. Earlier scores keep their model.`,
        kind: { is: 'choice', options: { 'posture-1': 'posture-1', 'posture-2': 'posture-2' } },
      },
      {
        name: 'baseRate.low',
        label: t`Incident rate, low`,
        hint: t`Share of organizations with a significant incident within a year; posture-2 uses it. The lowest plausible value.`,
        effect: t`With posture-2, all assets are scored again from now on. Earlier scores stay.`,
        kind: RATE,
      },
      {
        name: 'baseRate.best',
        label: t`Incident rate, best`,
        hint: t`Share of organizations with a significant incident within a year; posture-2 uses it. The most likely value.`,
        effect: t`With posture-2, all assets are scored again from now on. Earlier scores stay.`,
        kind: { ...RATE, max: 0.9 },
      },
      {
        name: 'baseRate.high',
        label: t`Incident rate, high`,
        hint: t`Share of organizations with a significant incident within a year; posture-2 uses it. The highest plausible value.`,
        effect: t`With posture-2, all assets are scored again from now on. Earlier scores stay.`,
        kind: RATE,
      },
    ],
  },
  {
    title: t`Integrations`,
    policies: [
      {
        name: 'egressAllow',
        label: t`Allowed internal addresses`,
        hint: t`Integrations can connect only to public addresses and to the addresses, networks or host names in this list. Press Enter after each entry. Maximum 100 entries.`,
        effect: t`Applies to new connections. Secrets are sent to these addresses if an integration uses them.`,
        kind: { is: 'list', example: t`10.0.0.0/8 or inventory.corp.example` },
      },
      {
        name: 'trustedSources',
        label: t`Trusted sources of asset data`,
        hint: t`If sources disagree on an asset, the value of the first source in this list is shown, otherwise the newest. Press Enter after each name. Maximum 20 names.`,
        effect: t`Applies to an asset when one of its sources describes it again.`,
        kind: { is: 'names', example: SOURCE_EXAMPLE },
      },
    ],
  },
];

export const policyNamed = (name: string): Policy | undefined =>
  groups()
    .flatMap(({ policies }) => policies)
    .find((policy) => policy.name === name);

/** With the fraction of a small share. */
const numberText = (value: number): string => number(value, { maximumFractionDigits: 6 });

function amountText(value: number, unit: Unit): string {
  const amount = numberText(value);
  switch (unit) {
    case 'days':
      return plural(value, { one: '# day', other: '# days' });
    case 'seconds':
      return plural(value, { one: '# second', other: '# seconds' });
    case 'perMinute':
      return t`${amount} per minute`;
    case 'perYear':
      return t`${amount} per year`;
  }
}

/** Follows the number in its field. */
export function unitText(unit: Unit, value: unknown): string {
  const amount = Number(value);
  switch (unit) {
    case 'days':
      return plural(amount, { one: 'day', other: 'days' });
    case 'seconds':
      return plural(amount, { one: 'second', other: 'seconds' });
    case 'perMinute':
      return t`per minute`;
    case 'perYear':
      return t`per year`;
  }
}

/** The values that are permitted. */
export function rangeText({ unit, min, max }: Kind & { is: 'number' }): string {
  const [least, most] = [numberText(min), numberText(max)];
  switch (unit) {
    case 'days':
      return t`${least} to ${most} days.`;
    case 'seconds':
      return t`${least} to ${most} seconds.`;
    case 'perMinute':
      return t`${least} to ${most} per minute.`;
    case 'perYear':
      return t`${least} to ${most} per year.`;
  }
}

/** A value as text. */
export function valueText(kind: Kind, value: unknown): string {
  if (kind.is === 'switch')
    return value ? t({ message: 'On', context: 'switch' }) : t({ message: 'Off', context: 'switch' });
  if (kind.is === 'number' && typeof value === 'number') return amountText(value, kind.unit);
  if (kind.is === 'choice') return kind.options[String(value)] ?? String(value);
  if (Array.isArray(value))
    return value.length === 0 ? t({ message: 'None', context: 'entries of a list' }) : value.join(', ');
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

/** The body of the request. The rates of the base rate are sent together. */
export function bodyOf(changes: Draft, { baseRate }: Settings): Api['ChangeSettingsDto'] {
  const body: Record<string, unknown> = {};
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [name = '', part] = path.split('.');
    if (part) parts[name] = { ...(parts[name] ?? (name === 'baseRate' ? baseRate : {})), [part]: value };
    else body[name] = value;
  }
  return { ...body, ...parts };
}
