import { createHash } from 'node:crypto';

/** Lengths at which texts are cut, in characters: below those of the schema, so that a signal stays below 1 MB (R-ZIP-8). */
const TEXT_MAX = {
  name: 1_000,
  assetName: 1_024,
  description: 32_768,
  impact: 16_384,
  evidence: 16_384,
  remediation: 16_384,
  reference: 4_096,
  id: 200,
  tag: 1_000,
  standard: 1_000,
} as const;

/** Above the longest text of a signal, so that the cut is noted: findings must not multiply what is around them. */
export const TEXT_CHARS_MAX = 40_000;

type TextKind = keyof typeof TEXT_MAX;

/** Cuts texts and lists, and records the cuts. */
export class Clipper {
  /** For people, one of each kind. */
  readonly notes = new Set<string>();

  /** The beginning, and a sign that there was more. */
  text(kind: TextKind, text: string): string {
    const max = TEXT_MAX[kind];
    if (text.length <= max) return text;
    this.notes.add(`${kind} cut to ${max} characters`);
    return ellipsized(text, max);
  }

  /** The beginning and a hash of the whole, so that different texts stay different. */
  unique(kind: TextKind, text: string): string {
    const max = TEXT_MAX[kind];
    if (text.length <= max) return text;
    this.notes.add(`${kind} cut to ${max} characters`);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    return `${whole(text.slice(0, max - 14))}…#${hash}`;
  }

  /** The first of many. */
  first<T>(max: number, values: T[], what: string): T[] {
    if (values.length <= max) return values;
    this.notes.add(`${what}: only the first ${max} are kept`);
    return values.slice(0, max);
  }
}

/** Of a text that is longer, with a sign that there was more. */
export const ellipsized = (text: string, max: number): string => `${whole(text.slice(0, max - 2))} …`;

/** Half a character at the end is none. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
