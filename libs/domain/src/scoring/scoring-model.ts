/**
 * Names of the models that a score can be computed with (docs/scoring.md). Any change of a constant or a rule is a new
 * name: scores of two names cannot be compared.
 */
export const SCORING_MODELS = ['posture-1', 'posture-2'] as const;
export type ScoringModel = (typeof SCORING_MODELS)[number];

/** The model of the scores in this folder; those in `posture2` are of the other one. */
export const SCORING_MODEL = 'posture-1' satisfies ScoringModel;

export const isScoringModel = (name: string): name is ScoringModel =>
  (SCORING_MODELS as readonly string[]).includes(name);
