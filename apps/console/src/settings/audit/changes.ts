import { TYPE_NAMES } from '../../parts/finding-type.ts';
import { localInstant } from '../../parts/instant.tsx';
import { DAYS, policyNamed, toldValue } from '../policies/policy.ts';
import type { Act } from './acts.ts';

/** One line of what an act did; `before` is absent where there was nothing. */
export interface Change {
  name: string;
  before?: string;
  after?: string;
}

/** Ids and times that the line of the act says already. */
const SAID: ReadonlySet<string> = new Set(['id', 'act', 'credentialId', 'integrationId', 'createdAt']);

const NAMES: Record<string, string> = {
  name: 'Name',
  isDefault: 'Default',
  multiValued: 'Several values',
  recognisedAt: 'Recognised from',
  username: 'User name',
  until: 'Until',
  rationale: 'Rationale',
  to: 'To',
  mappings: 'Rows',
  'default.assetType': 'Default: asset type',
  'default.attackSurface': 'Default: attack surface',
  'default.supports': 'Default: supports',
};

/** What is different after an act, or what was asked for, line by line. */
export function changesIn({ detail }: Act): Change[] {
  if (!('before' in detail || 'after' in detail)) {
    return [...flat('asked' in detail ? detail.asked : detail)].map(([path, value]) => ({
      name: nameOf(path),
      after: told(path, value),
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
  if (isRows(was) || isRows(is)) return rowChanges(rowsOf(was), rowsOf(is));
  return [
    {
      name: nameOf(path),
      ...(before.has(path) && { before: told(path, was) }),
      ...(after.has(path) && { after: told(path, is) }),
    },
  ];
}

const isRows = (value: unknown): value is object[] => Array.isArray(value) && typeof value[0] === 'object';
const rowsOf = (value: unknown): object[] => (isRows(value) ? value : []);

/** Rows of the OS mapping that came, went, or changed their order. */
function rowChanges(was: object[], is: object[]): Change[] {
  const text = (row: object) =>
    Object.values(row)
      .map((value) =>
        Array.isArray(value) ? value.map((one) => TYPE_NAMES[one as 'va'] ?? one).join(', ') : value,
      )
      .join(' · ');
  const [before, after] = [was.map(text), is.map(text)];
  const lines = [
    ...before.filter((row) => !after.includes(row)).map((row) => ({ name: 'Row', before: row })),
    ...after.filter((row) => !before.includes(row)).map((row) => ({ name: 'Row', after: row })),
  ];
  return lines.length > 0 ? lines : [{ name: 'Rows', after: 'in another order' }];
}

/** The values of an object by their paths; lists are values. */
function flat(value: unknown, parent = ''): Flat {
  if (typeof value !== 'object' || value === null) return new Map();
  const entries = Object.entries(value).filter(([name]) => !SAID.has(name));
  return new Map(
    entries.flatMap(([name, one]): [string, unknown][] => {
      const path = parent + name;
      const isObject = typeof one === 'object' && one !== null && !Array.isArray(one);
      return isObject ? [...flat(one, `${path}.`)] : [[path, one]];
    }),
  );
}

function nameOf(path: string): string {
  const type = typeOfRetirement(path);
  if (type) return `${TYPE_NAMES[type]}: days until it expires`;
  const words = (path.split('.').at(-1) ?? path).replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return policyNamed(path)?.label ?? NAMES[path] ?? words[0]!.toUpperCase() + words.slice(1);
}

function told(path: string, value: unknown): string {
  if (typeOfRetirement(path)) return toldValue(DAYS, value);
  const policy = policyNamed(path);
  if (policy) return toldValue(policy.kind, value);
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return localInstant(String(value));
}

function typeOfRetirement(path: string): keyof typeof TYPE_NAMES | undefined {
  const [name, type = ''] = path.split('.');
  return name === 'retirementDays' && type in TYPE_NAMES ? (type as 'va') : undefined;
}
