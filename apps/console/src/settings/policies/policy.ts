import type { Api } from '../../api/client.ts';
import type { FindingType } from '../../parts/finding-type.ts';

type Settings = Api['SettingsDto'];
type Changeable = Required<
  Omit<Api['ChangeSettingsDto'], 'version' | 'retirementDays' | 'defaultDepartment' | 'defaultLocation'>
>;

/** How a value is asked for. */
type Kind =
  | { is: 'number'; unit: string; min: number; max: number }
  | { is: 'choice'; options: Record<string, string> }
  | { is: 'switch' }
  | { is: 'text'; example: string }
  | { is: 'list'; example: string };

export interface Policy {
  name: keyof Changeable;
  label: string;
  /** What it means, in plain words. */
  hint: string;
  /** What a change means for what is stored. */
  effect: string;
  kind: Kind;
}

export const DAYS = { is: 'number', unit: 'days', min: 1, max: 3_650 } as const;
const DAY_SECONDS = 86_400;

export const RETIREMENT = {
  title: 'Finding Retirement Policy',
  hint: 'How many days after its last signal a finding expires, where the signal names no expiry of its own.',
  effect:
    'The expiry of a finding is set when its signal arrives: findings that are stored keep theirs until their next signal.',
};

/** The policies beside it, in groups; one order for the page and the audit trail. */
export const GROUPS: readonly { title: string; policies: readonly Policy[] }[] = [
  {
    title: 'Retention',
    policies: [
      {
        name: 'retentionDays',
        label: 'Retention period',
        hint: 'A finding that no signal has spoken of for so long is retired, even where its expiry is later.',
        effect:
          'Findings that are stored keep theirs until their next signal. Assets without data are judged by the new value at once.',
        kind: DAYS,
      },
      {
        name: 'deleteAssetsWithoutData',
        label: 'Delete assets without data',
        hint: 'An asset with no active finding and no update within the retention is deleted. Its history stays readable, and it keeps its identity when it comes back.',
        effect:
          'Turned on, assets that have been idle for longer than the retention are deleted within minutes.',
        kind: { is: 'switch' },
      },
    ],
  },
  {
    title: 'Assets',
    policies: [
      {
        name: 'assetMatching',
        label: 'When two names mean one machine',
        hint: 'By host name, web01, web01.acme.com and web01.lab.acme.com are one asset. By full name, the last two are two assets.',
        effect: 'Signals that arrive from now on are matched so. Stored assets are neither split nor merged.',
        kind: {
          is: 'choice',
          options: { name: 'By host name (the first label)', fqdn: 'By full domain name' },
        },
      },
      {
        name: 'customFieldRecognitionDelaySeconds',
        label: 'Custom fields are recognised after',
        hint: 'How long after its creation a custom field is filled by tags. Until then such tags are kept as plain tags.',
        effect: 'For custom fields that are added from now on.',
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
        hint: 'Below 4.1, a vulnerability must name a CVE or an ATT&CK technique, or its upload is refused.',
        effect: 'For uploads from now on.',
        kind: { is: 'text', example: '4.1' },
      },
      {
        name: 'maxLagSeconds',
        label: 'Hold uploads back when behind by',
        hint: 'While the service is further behind with what it has accepted, new uploads are told to come again later.',
        effect: 'At once; nothing that is stored changes.',
        kind: { is: 'number', unit: 'seconds', min: 10, max: DAY_SECONDS },
      },
      {
        name: 'clockSkewSecondsMax',
        label: 'Clocks may differ by',
        hint: 'A program whose clock differs more from the clock of the database accepts nothing and retires nothing until the clock is right.',
        effect: 'At once; nothing that is stored changes.',
        kind: { is: 'number', unit: 'seconds', min: 1, max: 3_600 },
      },
      {
        name: 'jsonRequestsPerMinute',
        label: 'Single signals per minute',
        hint: 'How many signals in all may be sent one by one in a minute. ZIP uploads are not counted.',
        effect: 'At once; nothing that is stored changes.',
        kind: { is: 'number', unit: 'a minute', min: 1, max: 1_000_000 },
      },
      {
        name: 'jsonDailyPolicy',
        label: 'After 100 single signals in 24 hours',
        hint: 'What a sender meets that sends signals one by one all day instead of in ZIP files.',
        effect: 'At once; nothing that is stored changes.',
        kind: {
          is: 'choice',
          options: { advise: 'Accept them, and advise to send ZIP files', enforce: 'Refuse them' },
        },
      },
    ],
  },
  {
    title: 'Integrations',
    policies: [
      {
        name: 'egressAllow',
        label: 'Internal addresses that integrations may reach',
        hint: 'Integrations reach public addresses only. Name here what they may reach besides: addresses, networks, or host names. Press Enter after each; 100 at most.',
        effect:
          'From the next connection on; secrets are sent there where an integration names such an address.',
        kind: { is: 'list', example: '10.0.0.0/8 or inventory.corp.example' },
      },
    ],
  },
];

const POLICIES: ReadonlyMap<string, Policy> = new Map(
  GROUPS.flatMap(({ policies }) => policies).map((policy) => [policy.name, policy]),
);

export const policyNamed = (name: string): Policy | undefined => POLICIES.get(name);

/** A value as a sentence would have it. */
export function toldValue(kind: Kind, value: unknown): string {
  if (kind.is === 'switch') return value ? 'On' : 'Off';
  if (kind.is === 'number' && typeof value === 'number') return `${value.toLocaleString()} ${kind.unit}`;
  if (kind.is === 'choice') return kind.options[String(value)] ?? String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ');
  return String(value);
}

/** What is typed and not saved yet, by the path in the body; a number field that was emptied is ''. */
export type Draft = Partial<Record<string, unknown>>;

export const retirementPath = (type: FindingType) => `retirementDays.${type}`;

export function valueAt(settings: Settings, path: string): unknown {
  const [name, type] = path.split('.') as [keyof Settings, FindingType | undefined];
  return type ? settings.retirementDays[type] : settings[name];
}

/** The draft without what is as it was. */
export const changesOf = (draft: Draft, settings: Settings): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(
      ([path, value]) => JSON.stringify(value) !== JSON.stringify(valueAt(settings, path)),
    ),
  );

/** As the route takes them. */
export function bodyOf(changes: Draft): Api['ChangeSettingsDto'] {
  const body: Record<string, unknown> = {};
  const retirementDays: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [name = '', type] = path.split('.');
    if (type) retirementDays[type] = value;
    else body[name] = value;
  }
  return { ...body, ...(Object.keys(retirementDays).length > 0 && { retirementDays }) };
}
