import { t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import { number } from '../../language/format.ts';
import { type FindingType, typeNames } from '../../parts/finding-type.ts';
import { localInstant } from '../../parts/instant.tsx';
import { levelWord } from '../../parts/severity.tsx';
import { lossRangesOf } from '../loss/loss-ranges.ts';
import { type Tag, tagText } from '../owner-rules/rules.ts';
import { DAYS, policyNamed, valueText } from '../policies/policy.ts';
import type { Act } from './acts.ts';
import { fieldName } from './field-names.ts';

/** One changed value; `before` is absent if there was no value. */
export interface Change {
  name: string;
  before?: string;
  after?: string;
}

/** Fields that the table already shows. */
const OMITTED: ReadonlySet<string> = new Set(['id', 'act', 'credentialId', 'integrationId', 'createdAt']);

/** The changes of an action, or the requested changes if it was rejected. */
export function changesIn({ detail }: Act): Change[] {
  if (!('before' in detail || 'after' in detail)) {
    return [...flat('asked' in detail ? detail.asked : detail)].map(([path, value]) => ({
      name: nameOf(path),
      after: textOf(path, value),
    }));
  }
  const before = flat(withRanges(detail.before));
  const after = flat(withRanges(detail.after));
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => changesAt(path, before, after));
}

/** With the losses by department, as their form has them. */
const withRanges = (values: unknown): unknown =>
  typeof values === 'object' && values !== null && 'loss' in values
    ? { ...values, loss: lossRangesOf(values.loss as Api['LossRangeDto'][]) }
    : values;

type Flat = Map<string, unknown>;

function changesAt(path: string, before: Flat, after: Flat): Change[] {
  const [was, is] = [before.get(path), after.get(path)];
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (isRows(was) || isRows(is)) return rowChanges(rowName(path), rowsOf(was), rowsOf(is));
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

/** Of a row of a list; all others are rows of the OS mapping and of the owner rules. */
const rowName = (path: string): string =>
  path === 'loss.byDepartment' ? t`Loss ranges of a department` : t`Row`;

/** Added, removed or reordered rows of a list. */
function rowChanges(name: string, was: object[], is: object[]): Change[] {
  const [before, after] = [was, is].map((rows) => new Set(rows.map((row) => JSON.stringify(row))));
  const lines = [
    ...was.filter((row) => !after!.has(JSON.stringify(row))).map((row) => ({ name, before: rowText(row) })),
    ...is.filter((row) => !before!.has(JSON.stringify(row))).map((row) => ({ name, after: rowText(row) })),
  ];
  return lines.length > 0 ? lines : [{ name: t`Rows`, after: t`reordered` }];
}

/** Without empty values. */
const rowText = (row: object): string => Object.values(row).map(cellText).filter(Boolean).join(' · ');

/** A value of a row; tags as `env=prod`, ranges of losses by criticality as `low 5 to 9, high 10 to 20`. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join(', ');
  if (typeof value !== 'object') return String(value);
  if (value === null) return '';
  return Object.entries(value as Record<string, { min: number; max: number }>)
    .map(([level, { min, max }]) => {
      const [name, least, most] = [levelWord(level), number(min), number(max)];
      return t`${name} ${least} to ${most}`;
    })
    .join(', ');
}

const itemText = (item: string | Tag): string =>
  typeof item === 'string' ? (typeNames()[item as 'va'] ?? item) : tagText(item);

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
const LOSS_BOUND = /^loss\.byCriticality\.(\w+)\.(min|max)$/;

function nameOf(path: string): string {
  const type = typeOfDays(path);
  if (type) {
    const typeName = typeNames()[type];
    return path.startsWith('retirementDays')
      ? t`${typeName}: days until expiry`
      : t`${typeName}: days of history`;
  }
  const [, level = '', bound] = LOSS_BOUND.exec(path) ?? [];
  const criticality = levelWord(level);
  if (bound === 'min') return t`Loss range, ${criticality}: minimum`;
  if (bound === 'max') return t`Loss range, ${criticality}: maximum`;
  const [, slaClass] = SLA_DAYS.exec(path) ?? [];
  if (slaClass) {
    const className = levelWord(slaClass);
    return t`SLA, ${className}: days`;
  }
  return policyNamed(path)?.label ?? fieldName(path);
}

const none = () => t({ message: 'none', context: 'value of a field' });

function textOf(path: string, value: unknown): string {
  if (typeOfDays(path)) return typeof value === 'number' ? valueText(DAYS, value) : t`for ever`;
  const policy = policyNamed(path);
  if (policy) return valueText(policy.kind, value);
  if (value === null || value === '') return none();
  if (typeof value === 'number' && LOSS_BOUND.test(path)) return number(value);
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (path === 'findingIds' && Array.isArray(value)) return number(value.length);
  if (isRows(value)) return value.map(rowText).join(', ');
  if (Array.isArray(value)) return value.length === 0 ? none() : value.map(String).join(', ');
  return localInstant(String(value));
}

function typeOfDays(path: string): FindingType | undefined {
  const [name, type = ''] = path.split('.');
  return (name === 'retirementDays' || name === 'historyRetentionDays') && type in typeNames()
    ? (type as 'va')
    : undefined;
}
