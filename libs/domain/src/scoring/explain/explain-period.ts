import { HUNDREDTHS } from '../risk-score.ts';
import { type ChoiceTimeline, choiceAt, givesSame, type ScoringChoice } from '../scoring-choice.ts';
import { CAUSES_MAX, type CauseShare, type Explanation, listed } from './explanation.ts';
import type { Cause } from './moment.ts';

/** A part of a period in which one model with one targeting is in force, in epoch ms. */
export interface ChoiceSpan {
  from: number;
  /** The instant of the change that ends the part; of the last one, the end of the period. */
  to: number;
  choice: ScoringChoice;
}

/** The parts of a period, in their order; the last one can begin at its end. */
export function choiceSpans(choices: ChoiceTimeline, from: number, to: number): ChoiceSpan[] {
  const spans: ChoiceSpan[] = [{ from, to, choice: choiceAt(choices, from) }];
  for (const { from: at, value: choice } of choices) {
    const last = spans.at(-1)!;
    if (at <= from || at > to || givesSame(last.choice, choice)) continue;
    last.to = at;
    spans.push({ from: at, to, choice });
  }
  return spans;
}

/** A part of a period, explained with the limit of the whole at least. */
export interface ExplainedSpan extends ChoiceSpan {
  explanation: Explanation;
}

/** What moved a score in a period: its parts, and the changes of the model or of the incident rates between them. */
export function explainPeriod(spans: readonly ExplainedSpan[], limit = CAUSES_MAX): Explanation {
  const causes = spans.flatMap(({ explanation }) => explanation.causes.map(inHundredths));
  const switches = spans.slice(1).map((next, i): CauseShare => {
    const before = spans[i]!;
    const share = hundredths(next.explanation.from ?? 0) - hundredths(before.explanation.to ?? 0);
    return { ...settingCause(before.choice, next.choice, next.from), share };
  });
  const others = spans.reduce(
    (sum, { explanation }) => ({
      causes: sum.causes + explanation.others.causes,
      share: sum.share + hundredths(explanation.others.share),
    }),
    { causes: 0, share: 0 },
  );
  const side = (points: number | null) => (points === null ? null : hundredths(points));
  const ends = [side(spans[0]!.explanation.from), side(spans.at(-1)!.explanation.to)] as const;
  const together = spans.reduce((sum, { explanation }) => sum + hundredths(explanation.together), 0);
  return listed(ends, { causes: [...causes, ...switches], others, together }, limit);
}

const hundredths = (points: number): number => Math.round(points * HUNDREDTHS);
const inHundredths = (cause: CauseShare): CauseShare => ({ ...cause, share: hundredths(cause.share) });

/** With the name of the setting in the API. */
function settingCause(before: ScoringChoice, after: ScoringChoice, at: number): Cause {
  const cause = (id: string, what: string): Cause => ({
    kind: 'setting',
    id,
    assetId: null,
    name: null,
    what,
    at,
  });
  if (before.model !== after.model) return cause('scoringModel', `${before.model} → ${after.model}`);
  return cause('baseRate', `${ratesWords(before)} → ${ratesWords(after)}`);
}

const ratesWords = ({ incidentRates: { low, best, high } }: ScoringChoice): string =>
  `${low}, ${best}, ${high}`;
