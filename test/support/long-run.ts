/** Whether this is `npm run test:long`, which does all that `npm test` does and more of it. */
export const isLongRun = process.env.TEST_LONG === 'true';

/**
 * Runs of a property that asks a database or a broker in each: all of them in a long run, otherwise a quarter. The
 * seeds differ from run to run.
 */
export const runs = (all: number): number => (isLongRun ? all : Math.ceil(all / 4));
