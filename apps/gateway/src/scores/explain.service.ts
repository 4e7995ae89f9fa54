import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import {
  type AssetMove,
  type ChoiceSpan,
  type ChoiceTimeline,
  choiceSpans,
  type ExplainedSpan,
  type Explanation,
  explainMove,
  explainPeriod,
  isoTime,
  posture2,
} from '#libs/domain';
import {
  EMPTY_SCORE_SUMS,
  PageCatalogue,
  readMoves,
  type ScoreSums,
  type Subject,
  type SubjectScope,
} from '#libs/scores';
import { historyKeptFrom, type RowLimits } from '#libs/tables';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { assertPeriodKept } from '../paging/kept-history.ts';
import { withAssetNames } from './asset-names.ts';
import type { ExplanationDto, GroupMoveQuery, MoveQuery } from './explain.dto.ts';
import { ExplainRepository } from './explain.repository.ts';
import type { Span } from './history-ranges.ts';
import { groupOf } from './score-history.dto.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';

/** Changes of the model or of its rates in a period: each divides it, and all assets with a change are read again. */
const SWITCHES_MAX = 10;

/** Explains score changes. Both sides are scored from the data of their time, so that the result stays the same. */
@Injectable()
export class Explanations {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly moved: ExplainRepository,
    private readonly assets: AssetsAsOfRepository,
    private readonly slots: ScoreSlots,
    private readonly choices: ScoringChoices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws BadRequestException for no span, several groups, or too many changes of the model in it; GoneException if
   *   its history is not known any more; RetryLaterException if too many ask
   */
  async group(query: GroupMoveQuery): Promise<ExplanationDto> {
    return (await this.groupWith(query)).explanation;
  }

  /**
   * The same, and the common share of some findings, in points.
   * @param together their ids
   */
  async groupWith(query: GroupMoveQuery, together?: ReadonlySet<string>): Promise<Explained> {
    const group = groupOf(query) ?? undefined;
    const period = await this.periodOf(query);
    return this.slots.run(() =>
      this.explain(period, { ...query, together }, async (span, endsBySwitch) => {
        const { choices } = period;
        const assetNos = await this.moved.movedAssets(span, { endsBySwitch, choices });
        const unchanged = await this.moved.sumWithout(assetNos, span.from, group);
        return { scope: { assetNos, ...(group && { group }) }, unchanged };
      }),
    );
  }

  /**
   * The beginning of the latest part of a period that `group` explains: after removed history, with at most
   * `SWITCHES_MAX` changes of the model. That of the period if the history of all of it was removed.
   */
  async explainableFrom({ from, to }: Span): Promise<number> {
    const kept = (await historyKeptFrom(this.db)) ?? from;
    const begin = kept < to ? Math.max(from, kept) : from;
    return choiceSpans(await this.choices.timeline(), begin, to).slice(-1 - SWITCHES_MAX)[0]!.from;
  }

  /**
   * @throws NotFoundException if there was no such asset yet at `to`, or it was none of `rows` at any time since `from`;
   *   otherwise as above
   */
  async asset(id: string, query: MoveQuery, rows: RowLimits): Promise<ExplanationDto> {
    const period = await this.periodOf(query);
    const row = await this.assets.find(id, period.to, rows);
    if (!row || !(await this.assets.isVisibleSince(row.assetNo, period.spans[0]!.from, rows)))
      throw new NotFoundException(`no asset had the id ${id}`);
    const scope = { assetNos: [row.assetNo] };
    const unchanged = () => Promise.resolve({ scope, unchanged: EMPTY_SCORE_SUMS });
    return (await this.slots.run(() => this.explain(period, query, unchanged))).explanation;
  }

  /** @param assetsOf the assets with a change in a part of the period, and the sums of the others */
  private async explain(
    { spans }: Period,
    { limit, together }: ExplanationOptions,
    assetsOf: (span: Span, endsBySwitch: boolean) => Promise<MovingAssets>,
  ): Promise<Explained> {
    const explained: ExplainedSpan[] = [];
    for (const [i, span] of spans.entries()) {
      const assets = await assetsOf(span, i < spans.length - 1);
      explained.push({ ...span, explanation: await this.explainSpan(span, assets, { limit, together }) });
    }
    const { together: share, ...explanation } = explainPeriod(explained, limit);
    const [first, last] = [spans[0]!, spans.at(-1)!];
    const causes = explanation.causes.map(({ at, ...cause }) => ({
      ...cause,
      ...(at !== undefined && { at: isoTime(at) }),
    }));
    const view = {
      ...explanation,
      causes: await withAssetNames(this.db, causes, last.to),
      from: { at: isoTime(first.from), score: explanation.from, model: first.choice.model },
      to: { at: isoTime(last.to), score: explanation.to, model: last.choice.model },
      model: last.choice.model,
    };
    await assertPeriodKept(this.db, first.from);
    return { explanation: view, together: share };
  }

  private explainSpan(
    { from, to, choice: { model, incidentRates } }: ChoiceSpan,
    { scope, unchanged }: MovingAssets,
    { limit, together }: ExplanationOptions,
  ): Promise<Explanation> {
    const sides = { from: new PageCatalogue(from), to: new PageCatalogue(to) };
    const moves = this.movesOf(scope, { from, to }, sides, model === 'posture-2');
    const begin = { at: from, catalogue: sides.from };
    const end = { at: to, catalogue: sides.to };
    const options = { unchanged, ...(limit !== undefined && { limit }), ...(together && { together }) };
    return model === 'posture-1'
      ? explainMove(moves, begin, end, options)
      : posture2.explainMove(moves, begin, end, {
          ...options,
          targeting: posture2.targetingOf(incidentRates),
        });
  }

  private async *movesOf(
    scope: SubjectScope,
    { from, to }: Span,
    sides: Record<'from' | 'to', PageCatalogue>,
    withPast: boolean,
  ): AsyncGenerator<AssetMove<Subject>> {
    for await (const { moves, catalogues } of readMoves(this.db, scope, from, to, { withPast })) {
      sides.from.turnTo(catalogues);
      sides.to.turnTo(catalogues);
      yield* moves;
    }
  }

  private async periodOf(query: MoveQuery): Promise<Period> {
    const { from, to } = this.spanOf(query);
    await assertPeriodKept(this.db, from);
    const choices = await this.choices.timeline();
    const spans = choiceSpans(choices, from, to);
    const switches = spans.length - 1;
    if (switches > SWITCHES_MAX) {
      throw new BadRequestException(
        `the model or its incident rates changed ${switches} times from ${isoTime(from)} to ${isoTime(to)}: ` +
          `send a period with at most ${SWITCHES_MAX} changes`,
      );
    }
    return { to, choices, spans };
  }

  private spanOf({ from, to }: MoveQuery): Span {
    const now = this.clock();
    if (from === undefined) {
      throw new BadRequestException(
        'from is missing: send an ISO 8601 time with a zone, such as 2026-01-31T12:00:00Z',
      );
    }
    const span = { from: Math.max(from, 0), to: Math.min(to ?? now, now) };
    if (span.from >= span.to) throw new BadRequestException('from must be before to and in the past');
    return span;
  }
}

/** What an explanation has: causes up to a limit, and findings with one common share. */
interface ExplanationOptions {
  limit?: number | undefined;
  together?: ReadonlySet<string> | undefined;
}

interface Explained {
  explanation: ExplanationDto;
  /** In points; 0 if nothing was asked for together. */
  together: number;
}

interface Period {
  to: number;
  choices: ChoiceTimeline;
  /** By the model in force. */
  spans: ChoiceSpan[];
}

/** The assets with a change, and the sums of the others at the beginning. */
interface MovingAssets {
  scope: SubjectScope;
  unchanged: ScoreSums;
}
