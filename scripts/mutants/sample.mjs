import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';

const LEFT_OUT = { status: CheckStatus.CompileError, reason: 'not in the sample' };

/**
 * Selects a fraction of the mutants by the seed. Stryker has no sampling, but a checker can reject mutants as compile
 * errors, which are excluded from the score.
 */
export class Sample {
  static inject = ['options'];
  #chance;
  #seed;

  constructor({ mutants: { fraction, seed } }) {
    this.#chance = fraction * 2 ** 32;
    this.#seed = seed;
  }

  init() {}

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const isChosen = ({ fileName, location, replacement }) => {
      const { start, end } = location;
      const name = [
        this.#seed,
        relative('.', fileName),
        start.line,
        start.column,
        end.line,
        end.column,
        replacement,
      ];
      return createHash('sha256').update(name.join()).digest().readUInt32BE() < this.#chance;
    };
    return Object.fromEntries(
      mutants.map((one) => [one.id, isChosen(one) ? { status: CheckStatus.Passed } : LEFT_OUT]),
    );
  }
}
