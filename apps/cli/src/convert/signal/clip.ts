import { createHash } from 'node:crypto';

/** Lengths at which texts are cut, in characters: below those of the schema, so that a signal stays below 1 MB (D18). */
export const TEXT_MAX = {
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

export type TextKind = keyof typeof TEXT_MAX;

/** Cuts texts, and remembers of which kinds. */
export class Clipper {
  readonly cut = new Set<TextKind>();

  /** The beginning, and a sign that there was more. */
  text(kind: TextKind, text: string): string {
    const max = TEXT_MAX[kind];
    if (text.length <= max) return text;
    this.cut.add(kind);
    return `${whole(text.slice(0, max - 2))} …`;
  }

  /** The beginning and a hash of the whole, so that what was different stays different. */
  unique(kind: TextKind, text: string): string {
    const max = TEXT_MAX[kind];
    if (text.length <= max) return text;
    this.cut.add(kind);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    return `${whole(text.slice(0, max - 14))}…#${hash}`;
  }
}

/** Half a character at the end is none. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
