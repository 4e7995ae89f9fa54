/** Colour of past times; contrast with white text is 5 to 1. */
export const PAST = '#c2410c';
