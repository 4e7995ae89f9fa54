import type { SubjectKind } from './notification.ts';

/** What notifies those who can mend it, once while it lasts. */
type ProblemKind = Exclude<SubjectKind, 'syncRecovered'>;

export interface Problem {
  kind: ProblemKind;
  /** Integration, webhook or report schedule. */
  subjectId: string;
  /** Differs for another occurrence. */
  cause: string;
  /** When it came, in epoch ms. */
  at: number;
}

/** A problem that was notified and has not ended. */
export interface NotifiedProblem extends Omit<Problem, 'at'> {
  /** Epoch ms. */
  notifiedAt: number;
}

export interface ProblemChanges {
  /** New ones, and other occurrences. */
  begun: Problem[];
  ended: NotifiedProblem[];
}

/** Reports can be scheduled every hour: another one that is not sent notifies again after this time. */
const REPORTS_EVERY_MS = 12 * 60 * 60_000;

/** What has to be notified. @param now epoch ms */
export function problemChanges(
  present: readonly Problem[],
  notified: readonly NotifiedProblem[],
  now: number,
): ProblemChanges {
  const byId = new Map(notified.map((one) => [idOf(one), one]));
  const begun = present.filter((problem) => {
    const before = byId.get(idOf(problem));
    if (!before) return true;
    const isRested = problem.kind !== 'reportFailed' || before.notifiedAt <= now - REPORTS_EVERY_MS;
    return before.cause !== problem.cause && isRested;
  });
  const ids = new Set(present.map(idOf));
  return { begun, ended: notified.filter((one) => !ids.has(idOf(one))) };
}

const idOf = ({ kind, subjectId }: Pick<Problem, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;
