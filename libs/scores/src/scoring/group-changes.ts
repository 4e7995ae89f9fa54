import {
  addScoreSums,
  areNoSums,
  EMPTY_SCORE_SUMS,
  type ScoreSums,
  scoreSumsOf,
  subtractScoreSums,
} from '../sums/score-sums.ts';
import type { ScoreRow } from './score-rows.ts';

export type GroupKind = 'organization' | 'type' | 'attackSurface' | 'department' | 'location';

/** The amount to add to a group's sum; numbers may be negative. */
export interface GroupChange {
  kind: GroupKind;
  /** Empty for the organization. */
  name: string;
  sum: ScoreSums;
}

const KINDS = ['type', 'attackSurface', 'department', 'location'] as const;

/** The changes of all groups' sums when the previous state of assets leaves them and the current one enters. */
export class GroupChanges {
  private readonly byGroup = new Map<string, GroupChange>();

  /** @param before, after undefined if there is no asset on that side */
  move(before: ScoreRow | undefined, after: ScoreRow | undefined): void {
    if (before) this.change(before, (sum) => subtractScoreSums(sum, scoreSumsOf(before.risk)));
    if (after) this.change(after, (sum) => addScoreSums(sum, scoreSumsOf(after.risk)));
  }

  /** Those that change anything, in a fixed order. */
  all(): GroupChange[] {
    return [...this.byGroup.entries()]
      .filter(([, { sum }]) => !areNoSums(sum))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, change]) => change);
  }

  private change(row: ScoreRow, apply: (sum: ScoreSums) => ScoreSums): void {
    this.changeGroup('organization', '', apply);
    for (const kind of KINDS) this.changeGroup(kind, row[kind], apply);
  }

  private changeGroup(kind: GroupKind, name: string, apply: (sum: ScoreSums) => ScoreSums): void {
    const key = `${kind} ${name}`;
    const sum = apply(this.byGroup.get(key)?.sum ?? EMPTY_SCORE_SUMS);
    this.byGroup.set(key, { kind, name, sum });
  }
}
