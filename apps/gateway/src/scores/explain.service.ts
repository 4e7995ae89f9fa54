import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type AssetMove, explainMove, type MoveOptions, SCORING_MODEL } from '#libs/domain';
import { PageCatalogue, readMoves, type SubjectScope } from '#libs/scores';
import { isoTime } from '#libs/views';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { withAssetNames } from './asset-names.ts';
import type { ExplanationDto, GroupMoveQuery, MoveQuery } from './explain.dto.ts';
import { ExplainRepository, type Span } from './explain.repository.ts';
import { groupOf } from './score-history.dto.ts';
import { ScoreSlots } from './score-slots.ts';

/** Says what moved scores; both sides are scored from what was known then, so that the same is said again later. */
@Injectable()
export class Explanations {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly moved: ExplainRepository,
    private readonly assets: AssetsAsOfRepository,
    private readonly slots: ScoreSlots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BadRequestException for no span, or several groups; RetryLaterException where too many ask */
  group(query: GroupMoveQuery): Promise<ExplanationDto> {
    const group = groupOf(query) ?? undefined;
    const span = this.spanOf(query);
    return this.slots.run(async () => {
      const assetNos = await this.moved.movedAssets(span);
      const unchanged = await this.moved.sumWithout(assetNos, span.from, group);
      return this.explain({ assetNos, ...(group && { group }) }, span, { ...named(query), unchanged });
    });
  }

  /** @throws NotFoundException where there was no such asset yet at `to`; BadRequestException for no span */
  async asset(id: string, query: MoveQuery): Promise<ExplanationDto> {
    const span = this.spanOf(query);
    const row = await this.assets.find(id, span.to);
    if (!row) throw new NotFoundException(`no asset had the id ${id}`);
    return this.explain({ assetNos: [row.assetNo] }, span, named(query));
  }

  private async explain(
    scope: SubjectScope,
    { from, to }: Span,
    options: MoveOptions,
  ): Promise<ExplanationDto> {
    const sides = { from: new PageCatalogue(from), to: new PageCatalogue(to) };
    const told = await explainMove(
      this.movesOf(scope, { from, to }, sides),
      { at: from, catalogue: sides.from },
      { at: to, catalogue: sides.to },
      options,
    );
    return {
      ...told,
      causes: await withAssetNames(this.db, told.causes),
      from: { at: isoTime(from), score: told.from },
      to: { at: isoTime(to), score: told.to },
      model: SCORING_MODEL,
    };
  }

  private async *movesOf(
    scope: SubjectScope,
    { from, to }: Span,
    sides: Record<'from' | 'to', PageCatalogue>,
  ): AsyncGenerator<AssetMove> {
    for await (const { moves, catalogues } of readMoves(this.db, scope, from, to)) {
      sides.from.turnTo(catalogues);
      sides.to.turnTo(catalogues);
      yield* moves;
    }
  }

  private spanOf({ from, to }: MoveQuery): Span {
    const now = this.clock();
    if (from === undefined) {
      throw new BadRequestException(
        'from must be given: an ISO 8601 instant with a zone, such as 2026-01-31T12:00:00Z',
      );
    }
    const span = { from: Math.max(from, 0), to: Math.min(to ?? now, now) };
    if (span.from >= span.to)
      throw new BadRequestException('from must lie before to, and before the present');
    return span;
  }
}

const named = ({ limit }: MoveQuery): MoveOptions => (limit === undefined ? {} : { limit });
