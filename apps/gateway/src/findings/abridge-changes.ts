import { deepEqual } from 'fast-equals';
import type { FieldChange } from './finding-difference.ts';

/** Bounds of the changes in a history item; documented in the OpenAPI document. */
export const ABRIDGED = {
  /** Characters of a text. */
  text: 1_000,
  /** Items of a list, properties of tags. */
  list: 50,
  /** Instances that differ. */
  instances: 100,
  /** JSON characters of all changes of one item; the first change is always shown. */
  total: 64 * 1024,
} as const;

export interface AbridgedChanges {
  changes: FieldChange[];
  /** How many more there are. */
  changesLeftOut: number;
}

/** Characters shown before the first difference of a long text. */
const LEAD = 100;

/**
 * Changes with every long part cut to its bound, so that one item of a history stays below some 64 KB for any size of
 * the finding. A cut text or list states how much is missing; two long ones are both shown from where they begin to
 * differ, texts from shortly before it.
 */
export function abridgeChanges(changes: FieldChange[]): AbridgedChanges {
  const shown: FieldChange[] = [];
  let [instances, total] = [0, 0];
  for (const change of changes) {
    instances += Number(change.key !== null);
    if (instances > ABRIDGED.instances) break;
    const abridged = abridge(change);
    total += JSON.stringify(abridged).length;
    if (total > ABRIDGED.total && shown.length > 0) break;
    shown.push(abridged);
  }
  return { changes: shown, changesLeftOut: changes.length - shown.length };
}

const abridge = ({ field, key, before, after }: FieldChange): FieldChange => ({
  field,
  key,
  before: abridged(before, after),
  after: abridged(after, before),
});

/** What differs from the other side is kept first: two different sides never look the same. */
function abridged(value: unknown, other: unknown): unknown {
  if (typeof value === 'string') {
    return cut(value, typeof other === 'string' ? Math.max(0, firstDifference(value, other) - LEAD) : 0);
  }
  if (Array.isArray(value)) return abridgedList(value, Array.isArray(other) ? other : []);
  if (!isObject(value)) return value;
  // A tag may be called anything, `__proto__` too.
  const beside: Record<string, unknown> = { __proto__: null, ...(isObject(other) ? other : {}) };
  const entries = Object.entries(value);
  const isSame = ([key, child]: [string, unknown]) => deepEqual(child, beside[key]);
  const ordered = [...entries.filter((entry) => !isSame(entry)), ...entries.filter(isSame)];
  return Object.fromEntries(
    ordered.slice(0, ABRIDGED.list).map(([key, child]) => [key, abridged(child, beside[key])]),
  );
}

function abridgedList(list: unknown[], other: unknown[]): unknown[] {
  const isLong = Math.max(list.length, other.length) > ABRIDGED.list;
  const from = isLong ? firstDifference(list, other) : 0;
  const end = from + ABRIDGED.list;
  return [
    ...(from > 0 ? [`… ${from} before`] : []),
    ...list.slice(from, end).map((item, i) => abridged(item, other[from + i])),
    ...(list.length > end ? [`… ${list.length - end} more`] : []),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 0 if there is no difference. */
function firstDifference<T>(a: ArrayLike<T>, b: ArrayLike<T>): number {
  let at = 0;
  while (at < a.length && at < b.length && deepEqual(a[at], b[at])) at += 1;
  return at < Math.max(a.length, b.length) ? at : 0;
}

function cut(text: string, from: number): string {
  if (text.length <= ABRIDGED.text) return text;
  const end = Math.min(text.length, from + ABRIDGED.text);
  const missing = text.length - (end - from);
  // A cut may fall between the halves of a character.
  const part = Buffer.from(text.slice(from, end), 'utf8').toString('utf8');
  return `${from > 0 ? '…' : ''}${part}… (${missing} characters more)`;
}
