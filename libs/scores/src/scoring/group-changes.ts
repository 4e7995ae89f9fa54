import { addRiskSums, EMPTY_RISK_SUM, type RiskSum, riskSumOf, subtractRiskSum } from '#libs/domain';
import { type ScoreRow, scoredAssetOf } from './score-rows.ts';

export type GroupKind = 'organization' | 'type' | 'attackSurface' | 'department' | 'location';

/** What is to be added to a group's sum; numbers may be negative. */
export interface GroupChange {
  kind: GroupKind;
  /** Empty for the organization. */
  name: string;
  sum: RiskSum;
}

const KINDS = ['type', 'attackSurface', 'department', 'location'] as const;

/** What becomes of the sums of all groups when assets leave them as they were and enter them as they are. */
export class GroupChanges {
  private readonly byGroup = new Map<string, GroupChange>();

  /** @param before, after undefined where there is no asset on that side */
  move(before: ScoreRow | undefined, after: ScoreRow | undefined): void {
    if (before) this.change(before, (sum) => subtractRiskSum(sum, riskSumOf(scoredAssetOf(before))));
    if (after) this.change(after, (sum) => addRiskSums(sum, riskSumOf(scoredAssetOf(after))));
  }

  /** Those that change anything, in a fixed order. */
  all(): GroupChange[] {
    return [...this.byGroup.entries()]
      .filter(([, { sum }]) => sum.assets || sum.scoredAssets || sum.fourthPowers || sum.likelihood)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, change]) => change);
  }

  private change(row: ScoreRow, apply: (sum: RiskSum) => RiskSum): void {
    this.changeGroup('organization', '', apply);
    for (const kind of KINDS) this.changeGroup(kind, row[kind], apply);
  }

  private changeGroup(kind: GroupKind, name: string, apply: (sum: RiskSum) => RiskSum): void {
    const key = `${kind} ${name}`;
    const sum = apply(this.byGroup.get(key)?.sum ?? EMPTY_RISK_SUM);
    this.byGroup.set(key, { kind, name, sum });
  }
}
