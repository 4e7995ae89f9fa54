import { printable } from '../printable.ts';

/** A value of a finding's field as people read it; a whole instance as one phrase. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return printable(value) || '""';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueWords).join(', ') || 'none';
  return objectWords(value as Record<string, unknown>);
}

function objectWords(value: Record<string, unknown>): string {
  if (isSeverity(value)) return severityWords(value);
  if (typeof value.by === 'string') return wordOfUser(value);
  const parts = Object.entries(value).filter(([, part]) => !isEmpty(part));
  return parts.map(([name, part]) => `${printable(name)} ${valueWords(part)}`).join(', ') || 'none';
}

const isEmpty = (part: unknown): boolean =>
  part === null || (typeof part === 'object' && Object.keys(part).length === 0);

interface SeverityWords {
  value: number;
  level?: unknown;
  vector?: unknown;
}

const isSeverity = (value: object): value is SeverityWords =>
  'value' in value && typeof value.value === 'number';

function severityWords({ value, level, vector }: SeverityWords): string {
  const more = [level, vector].filter((part) => typeof part === 'string').map((part) => printable(part));
  return more.length === 0 ? `${value}` : `${value} (${more.join(', ')})`;
}

/** An acceptance, or that a user holds the finding Failed. */
function wordOfUser({ by, at, until, rationale }: Record<string, unknown>): string {
  return [
    `by ${printable(String(by))}`,
    ...(typeof at === 'string' ? [`at ${at}`] : []),
    ...(until === undefined ? [] : [typeof until === 'string' ? `until ${until}` : 'with no end date']),
    ...(typeof rationale === 'string' ? [`"${printable(rationale)}"`] : []),
  ].join(', ');
}
