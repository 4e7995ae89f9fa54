import { describe, expect, it } from '@jest/globals';
import { type NotifiedProblem, type Problem, problemChanges } from './problem.ts';

const HOUR_MS = 3_600_000;
const NOW = 100 * HOUR_MS;
const problem = (given: Partial<Problem> = {}): Problem => ({
  ...{ kind: 'syncFailed', subjectId: '1', cause: 'a', at: NOW },
  ...given,
});
const notified = (given: Partial<NotifiedProblem> = {}): NotifiedProblem => ({
  ...{ kind: 'syncFailed', subjectId: '1', cause: 'a', notifiedAt: NOW - HOUR_MS },
  ...given,
});

describe('problems that notify (R-NOTE-9)', () => {
  it('are new, not problems notified before', () => {
    const other = problem({ subjectId: '2' });
    expect(problemChanges([problem(), other], [notified()], NOW)).toEqual({ begun: [other], ended: [] });
  });

  it('differ by kind', () => {
    const stopped = problem({ kind: 'scheduleStopped' });
    const failed = notified({ kind: 'reportFailed' });
    expect(problemChanges([stopped], [failed], NOW)).toEqual({ begun: [stopped], ended: [failed] });
  });

  it('are over if they are not found any more', () => {
    expect(problemChanges([], [notified()], NOW)).toEqual({ begun: [], ended: [notified()] });
  });

  it('are another occurrence by their cause', () => {
    const again = problem({ cause: 'b' });
    expect(problemChanges([again], [notified()], NOW).begun).toEqual([again]);
  });

  it('are reports twice a day at most', () => {
    const again = problem({ kind: 'reportFailed', cause: 'b' });
    const notifiedAgo = (hours: number) =>
      notified({ kind: 'reportFailed', notifiedAt: NOW - hours * HOUR_MS });
    expect(problemChanges([again], [notifiedAgo(11)], NOW).begun).toEqual([]);
    expect(problemChanges([again], [notifiedAgo(12)], NOW).begun).toEqual([again]);
  });
});
