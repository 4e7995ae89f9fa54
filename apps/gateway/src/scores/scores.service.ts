import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import type { ScoringChoice } from '#libs/domain';
import type { ScoreSums } from '#libs/scores';
import { ALL_ROWS, type RowLimits } from '#libs/tables';
import { type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type GroupPlace, RiskSumsRepository } from './risk-sums.repository.ts';
import { groupRiskView } from './risk-view.ts';
import type { GroupKind } from './score-groups.ts';
import { ScoredInstants } from './scored-at.ts';
import type { GroupScoreDto, GroupScoresQuery, OrganizationScoreDto } from './scores.dto.ts';
import { ScoringChoices } from './scoring-choices.ts';
import { visibleGroups } from './visible-groups.ts';

/** Scores of the organization and of its groups, now or at an instant. */
@Injectable()
export class Scores {
  constructor(
    private readonly sums: RiskSumsRepository,
    private readonly instants: ScoredInstants,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async organization({ asOf }: AsOfQuery): Promise<OrganizationScoreDto> {
    const past = pastInstant(asOf, this.clock());
    const choice = await this.choices.at(past);
    const scoredAt = await this.instants.scoredAt(past, choice, ALL_ROWS);
    return { ...riskOf(choice, await this.sums.organization(past)), ...scoredAt };
  }

  /**
   * @throws BadRequestException if the cursor belongs to another list; ForbiddenException if a limited caller may see no
   * group of the kind
   */
  async groups(
    kind: GroupKind,
    { asOf, name, limit, cursor }: GroupScoresQuery,
    visible: RowLimits,
  ): Promise<Page<GroupScoreDto>> {
    const past = pastInstant(asOf, this.clock());
    const names = visibleGroups(visible, kind);
    const choice = await this.choices.at(past);
    const rows = await this.sums.groups(
      choice.model,
      { kind, name, names },
      past,
      placeOf(cursor),
      limit + 1,
    );
    const scoredAt = await this.instants.scoredAt(past, choice, visible);
    return pageFrom(
      rows,
      limit,
      ({ rank, name, nameHash }) => [rank, name, nameHash],
      ({ group, sum }) => ({ name: group, ...riskOf(choice, sum), ...scoredAt }),
    );
  }
}

const riskOf = (choice: ScoringChoice, sums: ScoreSums) => ({
  ...groupRiskView(choice, sums),
  liveAssets: sums.assets,
});

function placeOf(cursor: string | undefined): GroupPlace | null {
  const keys = decodeKeys(cursor, 'rank', 'text', 'text');
  return keys && { rank: keys[0], name: keys[1], nameHash: keys[2] };
}
