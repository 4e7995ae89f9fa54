import type { Difference } from '#libs/replay';

const VALUE_CHARACTERS_MAX = 200;

/** A difference, field by field: the row on the first line, each differing field below it. */
export function differenceLines({ table, key, live, replayed }: Difference): string[] {
  const row = `${table} ${Object.entries(key)
    .map(([column, value]) => `${column}=${value}`)
    .join(' ')}`;
  if (!live) return [`${row}: missing in the live tables`];
  if (!replayed) return [`${row}: not in the log`];
  return [
    `${row}:`,
    ...fieldsOf(live, replayed, '').map(([path, a, b]) => `  ${path}: live ${text(a)}, log ${text(b)}`),
  ];
}

/** Fields that differ, with the values of both sides; objects are looked into. */
function fieldsOf(live: object, replayed: object, prefix: string): [string, unknown, unknown][] {
  const [a, b] = [live as Record<string, unknown>, replayed as Record<string, unknown>];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => {
    const [one, other] = [a[name], b[name]];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    const path = prefix + name;
    return isObject(one) && isObject(other) ? fieldsOf(one, other, `${path}.`) : [[path, one, other]];
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const text = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, VALUE_CHARACTERS_MAX);
