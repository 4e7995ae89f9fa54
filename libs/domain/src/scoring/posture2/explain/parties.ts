import type { Side } from '../../explain/shapley.ts';

/** The inputs of a score, in parts that change independently (docs/scoring.md "What moved a score of posture-2"). */
export const PARTIES = ['asset', 'findings', 'controls', 'catalogue', 'age'] as const;
export type Party = (typeof PARTIES)[number];

/** A mixture of both sides: the bits of the parties that are as they are at the end. Others are as at the beginning. */
export type Mixture = number;

export const BEGIN: Mixture = 0;
export const END: Mixture = 2 ** PARTIES.length - 1;
export const MIXTURES: readonly Mixture[] = Array.from({ length: END + 1 }, (_, mixture) => mixture);

/** A value of each party. */
export function byParty<T>(of: (party: Party) => T): Readonly<Record<Party, T>> {
  const [asset, findings, controls, catalogue, age] = PARTIES;
  return {
    asset: of(asset),
    findings: of(findings),
    controls: of(controls),
    catalogue: of(catalogue),
    age: of(age),
  };
}

export const BITS = byParty((party) => 2 ** PARTIES.indexOf(party));

export const sideOf = (mixture: Mixture, party: Party): Side => ((mixture & BITS[party]) === 0 ? 0 : 1);

/** Without these parties: they are as at the beginning. */
export const without = (mixture: Mixture, ...parties: Party[]): Mixture =>
  parties.reduce((left, party) => left & ~BITS[party], mixture);

/** The mixtures that a change of the party can begin from. */
export const STEPS = byParty((party) => MIXTURES.filter((mixture) => sideOf(mixture, party) === 0));

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

/** The share of all orders in which exactly the parties of this mixture changed before a given other one. */
export const ORDER_WEIGHTS: readonly number[] = MIXTURES.map((mixture) => {
  const before = PARTIES.filter((party) => sideOf(mixture, party) === 1).length;
  return (
    (factorial(before) * factorial(Math.max(0, PARTIES.length - 1 - before))) / factorial(PARTIES.length)
  );
});
