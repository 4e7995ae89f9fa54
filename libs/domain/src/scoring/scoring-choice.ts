import type { Since } from './asset-timeline.ts';
import { DEFAULT_INCIDENT_RATES, type IncidentRates, incidentRatesProblem } from './posture2/targeting.ts';
import { isScoringModel, type ScoringModel } from './scoring-model.ts';
import { withoutOverruled } from './without-overruled.ts';

/** The settings that scores depend on. */
export interface ScoringChoice {
  model: ScoringModel;
  incidentRates: IncidentRates;
}

/** Stated by the opening of a new log, and may become another one. */
export const MODEL_OF_NEW_LOGS: ScoringModel = 'posture-2';

/** Of a log whose opening states no model. Another default would rescore the past of such logs. */
export const DEFAULT_CHOICE: Readonly<ScoringChoice> = {
  model: 'posture-1',
  incidentRates: DEFAULT_INCIDENT_RATES,
};

/** Choices in the order of their instants (epoch ms), the first one from ever on. */
export type ChoiceTimeline = readonly Since<ScoringChoice>[];

/** Before every instant that a program writes, and read by PostgreSQL; JSON has no −Infinity. */
const EVER = Date.parse('0001-01-01T00:00:00Z');

const choicesFromEverOn = (value: ScoringChoice): Since<ScoringChoice>[] => [{ from: EVER, value }];

export const DEFAULT_CHOICES: ChoiceTimeline = choicesFromEverOn(DEFAULT_CHOICE);

/**
 * What no edge writes is ignored.
 * @param changes of settings, in the order of the log; of other settings too
 * @param opened settings that the opening of the log states
 */
export function choiceTimeline(changes: readonly Since<object>[], opened: object = {}): ChoiceTimeline {
  const choices = choicesFromEverOn({ ...DEFAULT_CHOICE, ...readChoice(opened) });
  for (const { from, value } of changes) {
    const before = choices.at(-1)!;
    const after = { ...before.value, ...readChoice(value) };
    // A clock that was ahead dated the one before: what is in force, is so from this change on.
    if (from < before.from || !isSameChoice(before.value, after)) choices.push({ from, value: after });
  }
  return withoutOverruled(choices);
}

function readChoice(settings: { scoringModel?: unknown; incidentRates?: unknown }): Partial<ScoringChoice> {
  const { scoringModel: model, incidentRates } = settings;
  return {
    ...(typeof model === 'string' && isScoringModel(model) && { model }),
    ...(areRates(incidentRates) && { incidentRates }),
  };
}

const areRates = (given: unknown): given is IncidentRates =>
  typeof given === 'object' && given !== null && incidentRatesProblem(given as IncidentRates) === null;

const isSameChoice = (a: ScoringChoice, b: ScoringChoice): boolean =>
  a.model === b.model &&
  (['low', 'best', 'high'] as const).every((of) => a.incidentRates[of] === b.incidentRates[of]);

export const choiceAt = (choices: ChoiceTimeline, at: number): ScoringChoice =>
  (choices.findLast(({ from }) => from <= at) ?? choices[0]!).value;

/** The models that replaced another one after `from`, until `to`; both in epoch milliseconds. */
export const modelChanges = (choices: ChoiceTimeline, from: number, to: number): Since<ScoringModel>[] =>
  choices.flatMap((choice, i) => {
    const { model } = choice.value;
    const isChange = i > 0 && choices[i - 1]!.value.model !== model;
    return isChange && choice.from > from && choice.from <= to ? [{ from: choice.from, value: model }] : [];
  });

/** The first instant at which two timelines give different scores; null if there is none. */
export function firstDifference(a: ChoiceTimeline, b: ChoiceTimeline): number | null {
  // Stored timelines of earlier versions begin at an instant that PostgreSQL does not have.
  const instants = [...a, ...b].map(({ from }) => Math.max(from, EVER)).sort((x, y) => x - y);
  return instants.find((at) => !givesSame(choiceAt(a, at), choiceAt(b, at))) ?? null;
}

/** Whether both give the same scores: posture-1 has no incident rates. */
export const givesSame = (a: ScoringChoice, b: ScoringChoice): boolean =>
  isSameChoice(a, b) || (a.model === 'posture-1' && b.model === 'posture-1');
