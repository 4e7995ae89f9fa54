/** Now, in epoch milliseconds. Injected everywhere, so that tests move it; the domain has none. */
export type Clock = () => number;

export const CLOCK = Symbol('CLOCK');
