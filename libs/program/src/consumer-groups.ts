/** Whoever folds the intake log: the members of the group share its partitions. */
export const PROJECTOR_GROUP = 'projector';
/** Whoever scores what changed. */
export const SCORER_GROUP = 'scorer';
