import { bareCvssVector } from '#libs/domain';
import type { FoundSeverity } from '../format.ts';
import { numberOf, textOf } from '../reading/json-fields.ts';

type Cvss = NonNullable<FoundSeverity['cvss']>;

/** The version that a vector names, by its prefix or by its metrics. */
function versionOf(vector: string): string | null {
  const prefix = /^CVSS:(\d\.\d)\//i.exec(vector)?.[1];
  if (prefix) return prefix;
  if (/(^|\/)Au:/i.test(vector)) return '2.0';
  return null;
}

/** The CVSS data in the form of a signal; undefined if there is none. */
export function cvssOf({
  vector,
  baseScore,
  temporalScore,
  environmentalScore,
  version,
}: Cvss): Cvss | undefined {
  const bare = (vector && bareCvssVector(vector)) || null;
  const base = inRange(baseScore);
  const temporal = inRange(temporalScore);
  const environmental = inRange(environmentalScore);
  if ([bare, base, temporal, environmental].every((known) => known === null)) return undefined;
  return {
    version: (bare === null ? null : versionOf(bare)) ?? version ?? null,
    vector: bare,
    baseScore: base,
    temporalScore: temporal,
    environmentalScore: environmental,
  };
}

/** A score from 0 to 10; null for anything else, such as the -1 that some scanners write for none. */
export const inRange = (score: number | null | undefined): number | null =>
  score !== null && score !== undefined && score >= 0 && score <= 10 ? score : null;

/** A score as a number or a text, also with a decimal comma, as spreadsheets of many countries write it. */
export const scoreOf = (value: unknown): number | null => inRange(numberOf(textOf(value)?.replace(',', '.')));
