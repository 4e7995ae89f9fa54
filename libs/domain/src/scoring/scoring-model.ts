/**
 * Name of the model that scores are computed with (docs/scoring.md). Any change of a constant or a rule of this folder
 * is a new name: scores of two names cannot be compared.
 */
export const SCORING_MODEL = 'posture-1';
