import type { Level, Severity } from '../events.ts';
import type { Remarks } from './remarks.ts';
import type { RawSeverity } from './signal.ts';
import { textOrNull } from './tags.ts';

/** Values of a level that comes without a number (R-SIG-7). */
const LEVEL_VALUES: Record<Level, number> = { critical: 9.5, high: 8, medium: 5.5, low: 2.5, info: 0 };
const SCORE_MAX = 10;

/** One of the five levels, in any case; null for anything else. */
export function readLevel(text: string | undefined): Level | null {
  const level = text?.trim().toLowerCase() ?? '';
  return Object.hasOwn(LEVEL_VALUES, level) ? (level as Level) : null;
}

/** CIA requirements know three levels: `critical` is read as high, `info` as low (R-SIG-13). */
export function readRequirement(text: string | undefined): Level | null {
  const level = readLevel(text);
  if (level === 'critical') return 'high';
  return level === 'info' ? 'low' : level;
}

const readScore = (value: number | undefined): number | null =>
  value !== undefined && value >= 0 && value <= SCORE_MAX ? value : null;

/** The given number, otherwise that of the level; a problem if both are missing. */
export function readSeverity(raw: RawSeverity | undefined, path: string, remarks: Remarks): Severity {
  const level = readLevel(raw?.level);
  const value = readScore(raw?.value) ?? (raw?.value === undefined && level ? LEVEL_VALUES[level] : null);
  if (value === null) {
    remarks.problem(
      `${path}.severity.value`,
      'must be a number from 0 to 10, or omitted if severity.level is critical, high, medium, low or info',
    );
  }
  const cvss = raw?.cvss;
  return {
    value: value ?? 0,
    level,
    type: textOrNull(raw?.type),
    version: cvss?.version === undefined ? null : String(cvss.version),
    vector: textOrNull(cvss?.vector),
    baseScore: readScore(cvss?.baseScore),
    temporalScore: readScore(cvss?.temporalScore),
    environmentalScore: readScore(cvss?.environmentalScore),
  };
}
