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
 * the finding. A cut text states how many characters are missing; two long texts are both shown from shortly before the
 * place where they begin to differ.
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

function abridge({ field, key, before, after }: FieldChange): FieldChange {
  const [left, right] = abridgedPair(before, after);
  return { field, key, before: left, after: right };
}

function abridgedPair(before: unknown, after: unknown): [unknown, unknown] {
  if (typeof before === 'string' && typeof after === 'string') {
    const from = Math.max(0, firstDifference(before, after) - LEAD);
    return [cut(before, from), cut(after, from)];
  }
  if (isObject(before) && isObject(after)) {
    const keys = Object.keys({ ...before, ...after }).slice(0, ABRIDGED.list);
    const pairs = keys.map((key) => [key, abridgedPair(before[key], after[key])] as const);
    return [
      fromEntries(pairs.map(([key, [left]]) => [key, left])),
      fromEntries(pairs.map(([key, [, right]]) => [key, right])),
    ];
  }
  return [abridged(before), abridged(after)];
}

function abridged(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, 0);
  if (Array.isArray(value)) {
    const more = value.length - ABRIDGED.list;
    const items = value.slice(0, ABRIDGED.list).map(abridged);
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value)
      .slice(0, ABRIDGED.list)
      .map(([key, child]) => [key, abridged(child)]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A tag may be called anything, `__proto__` too. */
const fromEntries = (entries: [string, unknown][]): Record<string, unknown> =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined));

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function cut(text: string, from: number): string {
  if (text.length <= ABRIDGED.text) return text;
  const end = Math.min(text.length, from + ABRIDGED.text);
  const missing = text.length - (end - from);
  // A cut may fall between the halves of a character.
  const part = Buffer.from(text.slice(from, end), 'utf8').toString('utf8');
  return `${from > 0 ? '…' : ''}${part}… (${missing} characters more)`;
}
