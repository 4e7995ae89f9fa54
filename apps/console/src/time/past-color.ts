/** The mark of the past; white text on it holds 5 to 1. */
export const PAST = '#c2410c';
