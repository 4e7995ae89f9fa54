import { instantKey } from '../../query/instant-key.ts';
import { FqlError, type FqlToken } from './fql-tokens.ts';

export type Operator = '>' | '>=' | '<' | '<=' | '*';

/** Whether one value of a record matches. */
export type Comparison = (value: unknown) => boolean;

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** @throws FqlError if the operator takes no such value */
export function comparisonOf(
  operator: Operator | undefined,
  { kind, text }: FqlToken,
  nowMs: number,
): { holds: Comparison; dependsOnTime: boolean } {
  const relative = kind === 'text' ? relativeInstant(text, nowMs) : undefined;
  const asked = relative ?? text;
  const dependsOnTime = relative !== undefined;
  if (kind === 'text' && relative === undefined && (operator === '*' || (!operator && text.includes('*')))) {
    const pattern = patternOf(text);
    return { holds: (value) => typeof value === 'string' && pattern.test(value), dependsOnTime };
  }
  if (operator === '*') throw new FqlError();
  return { holds: (value) => isOrdered(compare(value, asked), operator), dependsOnTime };
}

/** `now`, `now-7d`, `now+1h` */
function relativeInstant(text: string, nowMs: number): string | undefined {
  const parts = /^now(?:([+-])(\d{1,6})([smhdw]))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, count = '0', unit = 's'] = parts;
  const distanceMs = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return new Date(sign === '-' ? nowMs - distanceMs : nowMs + distanceMs).toISOString();
}

/** @returns less than, equal to or greater than 0; undefined if the two cannot be compared */
function compare(value: unknown, asked: string): number | undefined {
  if (typeof value === 'number') {
    const difference = value - Number(asked);
    return Number.isNaN(difference) ? undefined : difference;
  }
  if (typeof value !== 'string') return String(value) === asked ? 0 : undefined;
  const left = instantKey(value) ?? value;
  const right = instantKey(asked) ?? asked;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isOrdered(order: number | undefined, operator: Operator | undefined): boolean {
  if (order === undefined) return false;
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    default:
      return order === 0;
  }
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/\*+/)
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
