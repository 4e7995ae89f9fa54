import type { Level } from '../events.ts';
import { SSVC_DECISIONS, type SsvcDecision } from '../scoring/posture2/ssvc-decisions.ts';
import { SEVERITY_LEVELS } from '../severity-level.ts';

/** Days within which failed findings are to be remedied. Of several that apply, the fewest do. */
export interface Sla {
  /** By level of the severity; a level that is left out has none. */
  severity: Partial<Record<Level, number>>;
  /** By SSVC decision; a decision that is left out has none. */
  ssvc: Partial<Record<SsvcDecision, number>>;
  /** Of findings with a CVE of CISA's catalogue of known exploited vulnerabilities; null: none. */
  kev: number | null;
  /** Whether users can accept a finding only until a time. */
  exceptionsNeedEnd: boolean;
}

/** What the catalogues say of a finding; a finding without a decision has neither. */
export interface SlaFacts {
  decision: SsvcDecision | null;
  isKnownExploited: boolean;
}

export const NO_SLA_FACTS: SlaFacts = { decision: null, isKnownExploited: false };

/** Levels of severities in the order of their ranks, from 0. */
export const LEVELS_BY_RANK: readonly Level[] = SEVERITY_LEVELS.map(([level]) => level).toReversed();

/** Days for a finding of a level; null if the SLA has none. */
export function slaDays(sla: Sla, level: Level, { decision, isKnownExploited }: SlaFacts): number | null {
  return fewest(
    sla.severity[level],
    decision === null ? undefined : sla.ssvc[decision],
    isKnownExploited ? (sla.kev ?? undefined) : undefined,
  );
}

/** Whether days depend on the catalogues. */
export const distinguishesDecisions = ({ ssvc, kev }: Sla): boolean =>
  kev !== null || SSVC_DECISIONS.some((decision) => ssvc[decision] !== undefined);

/** The part that depends on no catalogue. */
export const bySeverityOnly = (sla: Sla): Sla => ({ ...sla, ssvc: {}, kev: null });

/** What is wrong with it, in words for the user; null if it is valid. */
export function slaProblem(sla: Sla): string | null {
  const hasDays =
    distinguishesDecisions(sla) || LEVELS_BY_RANK.some((level) => sla.severity[level] !== undefined);
  return hasDays ? null : 'severity, ssvc or kev must have days, or sla must be null';
}

function fewest(...given: (number | undefined)[]): number | null {
  const days = given.filter((one) => one !== undefined);
  return days.length === 0 ? null : Math.min(...days);
}
