import { t } from '@lingui/core/macro';
import { type FindingType, typeNames } from '../../parts/finding-type.ts';
import { localInstant } from '../../parts/instant.tsx';
import { DAYS, policyNamed, valueText } from '../policies/policy.ts';
import type { Act } from './acts.ts';

/** One changed value; `before` is absent if there was no value. */
export interface Change {
  name: string;
  before?: string;
  after?: string;
}

/** Fields that the table already shows. */
const OMITTED: ReadonlySet<string> = new Set(['id', 'act', 'credentialId', 'integrationId', 'createdAt']);

const NAMES: Record<string, string> = {
  name: 'Name',
  isDefault: 'Default',
  multiValued: 'Multiple values',
  recognisedAt: 'Recognised from',
  username: 'User name',
  until: 'Until',
  rationale: 'Rationale',
  to: 'To',
  mappings: 'Rows',
  'default.assetType': 'Default: asset type',
  'default.attackSurface': 'Default: attack surface',
  'default.supports': 'Default: supports',
  findingIds: 'Findings',
  ownerUser: 'Owner',
  ownerTeam: 'Owner team',
  lossRanges: 'Loss ranges',
  'lossRanges.currency': 'Loss ranges: currency',
  sla: 'SLA',
  'sla.kev': 'SLA, known exploited: days',
  'sla.exceptionsNeedEnd': 'SLA: acceptances require an end',
};

/** The changes of an action, or the requested changes if it was rejected. */
export function changesIn({ detail }: Act): Change[] {
  if (!('before' in detail || 'after' in detail)) {
    return [...flat('asked' in detail ? detail.asked : detail)].map(([path, value]) => ({
      name: nameOf(path),
      after: textOf(path, value),
    }));
  }
  const before = flat(detail.before);
  const after = flat(detail.after);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => changesAt(path, before, after));
}

type Flat = Map<string, unknown>;

function changesAt(path: string, before: Flat, after: Flat): Change[] {
  const [was, is] = [before.get(path), after.get(path)];
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (isRows(was) || isRows(is)) return rowChanges(ROW_NAMES[path] ?? t`Row`, rowsOf(was), rowsOf(is));
  return [
    {
      name: nameOf(path),
      ...(before.has(path) && { before: textOf(path, was) }),
      ...(after.has(path) && { after: textOf(path, is) }),
    },
  ];
}

const isRows = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object';
const rowsOf = (value: unknown): object[] => (isRows(value) ? value : []);

/** Names of the rows of lists; all others are rows of the OS mapping. */
const ROW_NAMES: Record<string, string> = { 'lossRanges.byDepartment': 'Loss ranges of a department' };

/** Added, removed or reordered rows of a list. */
function rowChanges(name: string, was: object[], is: object[]): Change[] {
  const text = (row: object) => Object.values(row).map(cellText).join(' · ');
  const [before, after] = [was.map(text), is.map(text)];
  const lines = [
    ...before.filter((row) => !after.includes(row)).map((row) => ({ name, before: row })),
    ...after.filter((row) => !before.includes(row)).map((row) => ({ name, after: row })),
  ];
  return lines.length > 0 ? lines : [{ name: 'Rows', after: 'reordered' }];
}

/** A value of a row; ranges of losses by criticality as `low 5 to 9, high 10 to 20`. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => typeNames()[one as 'va'] ?? one).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value as Record<string, { min: number; max: number }>)
    .map(([level, { min, max }]) => `${level} ${min.toLocaleString()} to ${max.toLocaleString()}`)
    .join(', ');
}

/** The values of an object by path; lists are values. */
function flat(value: unknown, parent = ''): Flat {
  if (typeof value !== 'object' || value === null) return new Map();
  const entries = Object.entries(value).filter(([name]) => !OMITTED.has(name));
  return new Map(
    entries.flatMap(([name, one]): [string, unknown][] => {
      const path = parent + name;
      const isObject = typeof one === 'object' && one !== null && !Array.isArray(one);
      return isObject ? [...flat(one, `${path}.`)] : [[path, one]];
    }),
  );
}

const SLA_DAYS = /^sla\.(?:severity|ssvc)\.(.+)$/;
const LOSS_BOUND = /^lossRanges\.byCriticality\.(\w+)\.(min|max)$/;

function nameOf(path: string): string {
  const type = typeOfDays(path);
  if (type) {
    return t`${typeNames()[type]}: days ${path.startsWith('retirementDays') ? t`until expiry` : t`of history`}`;
  }
  const [, level, bound] = LOSS_BOUND.exec(path) ?? [];
  if (level) return t`Loss range, ${level}: ${bound === 'min' ? 'minimum' : 'maximum'}`;
  const [, classOfSla] = SLA_DAYS.exec(path) ?? [];
  if (classOfSla) return t`SLA, ${classOfSla}: days`;
  const words = (path.split('.').at(-1) ?? path).replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return policyNamed(path)?.label ?? NAMES[path] ?? words[0]!.toUpperCase() + words.slice(1);
}

function textOf(path: string, value: unknown): string {
  if (typeOfDays(path)) return typeof value === 'number' ? valueText(DAYS, value) : t`for ever`;
  const policy = policyNamed(path);
  if (policy) return valueText(policy.kind, value);
  if (value === null || value === '') return 'none';
  if (typeof value === 'number' && LOSS_BOUND.test(path)) return value.toLocaleString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (path === 'findingIds' && Array.isArray(value)) return value.length.toLocaleString();
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return localInstant(String(value));
}

function typeOfDays(path: string): FindingType | undefined {
  const [name, type = ''] = path.split('.');
  return (name === 'retirementDays' || name === 'historyRetentionDays') && type in typeNames()
    ? (type as 'va')
    : undefined;
}
