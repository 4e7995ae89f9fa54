import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { groupScore } from '#libs/domain';
import { type AsOfPageQuery, type AsOfQuery, pastInstant } from '../paging/as-of.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { type GroupPlace, RiskSumsRepository } from './risk-sums.repository.ts';
import type { GroupKind } from './score-groups.ts';
import { ScoredInstants } from './scored-at.ts';
import type { GroupScoreDto, OrganizationScoreDto } from './scores.dto.ts';

/** Scores of the organization and of its groups, now or at an instant. */
@Injectable()
export class Scores {
  constructor(
    private readonly sums: RiskSumsRepository,
    private readonly instants: ScoredInstants,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async organization({ asOf }: AsOfQuery): Promise<OrganizationScoreDto> {
    const past = pastInstant(asOf, this.clock());
    const scoredAt = await this.instants.scoredAt(past);
    return { ...groupScore(await this.sums.organization(past)), ...scoredAt };
  }

  /** @throws BadRequestException where the cursor is none of this list's */
  async groups(kind: GroupKind, { asOf, limit, cursor }: AsOfPageQuery): Promise<Page<GroupScoreDto>> {
    const past = pastInstant(asOf, this.clock());
    const rows = await this.sums.groups(kind, past, placeOf(cursor), limit + 1);
    const scoredAt = await this.instants.scoredAt(past);
    return pageFrom(
      rows,
      limit,
      ({ rank, name, nameHash }) => [rank, name, nameHash],
      ({ group, sum }) => ({ name: group, ...groupScore(sum), ...scoredAt }),
    );
  }
}

function placeOf(cursor: string | undefined): GroupPlace | null {
  const keys = decodeKeys(cursor, 'rank', 'text', 'text');
  return keys && { rank: keys[0], name: keys[1], nameHash: keys[2] };
}
