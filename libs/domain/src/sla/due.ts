import { severityOf } from '../fold/finding-state.ts';
import { triageOf } from '../fold/triage-after.ts';
import { severityLevelOf } from '../severity-level.ts';
import { DAY_MS } from '../signal/read-instant.ts';
import type { Finding, FindingState } from '../state.ts';
import { NO_SLA_FACTS, type Sla, type SlaFacts, slaDays } from './sla.ts';

/** Until when a finding is to be remedied, in epoch milliseconds, and whether a user or the SLA says so. */
export interface DueDate {
  at: number;
  by: 'user' | 'sla';
}

export const SLA_STATES = ['due', 'overdue', 'met', 'missed'] as const;
/** How a finding is in its time: it still has some, or it has been remedied in time, or not. */
export type SlaState = (typeof SLA_STATES)[number];

/** Findings in these states still have to be remedied. */
export const OPEN_STATES: readonly FindingState[] = ['Failed', 'NotAssessed'];

/**
 * The due date of a finding that is in a state (R-SLA-2): that of users, otherwise that of the SLA, which only open
 * findings have.
 */
export function dueDateOf(
  finding: Finding,
  state: FindingState,
  sla: Sla | null,
  facts: SlaFacts,
): DueDate | null {
  const set = triageOf(finding).due;
  if (set) return { at: set.at, by: 'user' };
  const since = OPEN_STATES.includes(state) ? failingSince(finding) : null;
  const days = since === null ? null : daysOf(finding, sla, facts);
  return since === null || days === null ? null : { at: since + days * DAY_MS, by: 'sla' };
}

/** @param due as `dueDateOf` returns it @param at instant of the read, in epoch milliseconds */
export function slaStateOf(
  finding: Finding,
  state: FindingState,
  due: DueDate | null,
  sla: Sla | null,
  at: number,
): SlaState | null {
  if (OPEN_STATES.includes(state)) return due && (due.at < at ? 'overdue' : 'due');
  const limit = state === 'Qualified' ? remedyLimit(finding, sla) : null;
  const { settledAt } = finding;
  if (limit === null || typeof settledAt !== 'number') return null;
  return settledAt <= limit ? 'met' : 'missed';
}

/** A remedied finding has no decision: the SLA is that of its severity. */
function remedyLimit(finding: Finding, sla: Sla | null): number | null {
  const set = triageOf(finding).due;
  if (set) return set.at;
  const days = daysOf(finding, sla, NO_SLA_FACTS);
  return typeof finding.failedSince !== 'number' || days === null
    ? null
    : finding.failedSince + days * DAY_MS;
}

const daysOf = (finding: Finding, sla: Sla | null, facts: SlaFacts): number | null =>
  sla && slaDays(sla, severityLevelOf(severityOf(finding).value), facts);

/** The beginning of a failing period that has not ended; null if there is none (R-SLA-1). */
export function failingSince({ failedSince, settledAt, state, firstSeen }: Finding): number | null {
  if (typeof failedSince !== 'number') return state === 'Failed' ? firstSeen : null;
  return typeof settledAt === 'number' ? null : failedSince;
}
