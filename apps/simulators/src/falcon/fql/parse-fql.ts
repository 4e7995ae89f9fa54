import type { Filter } from '../../query/found-records.ts';
import { valuesAt } from '../../query/values-at.ts';
import type { Fields } from '../../records/collection.ts';
import { type Comparison, comparisonOf, type Operator } from './comparison.ts';
import { FqlError, type FqlToken, fqlTokens } from './fql-tokens.ts';

type Predicate = (record: Fields) => boolean;

const CHARACTERS_MAX = 20_000;
const DEPTH_MAX = 50;
const OPERATORS: readonly string[] = ['!', '>', '>=', '<', '<=', '*'];

const EVERYTHING: Filter = { name: '', matches: () => true };

/**
 * Reads a filter: `field:'v'`, `!`, `>`, `>=`, `<`, `<=`, `*`, lists, `+` for and, `,` for or, brackets, `'now-7d'`.
 * @param knows whether a field can be filtered by
 * @param nowMs what `now` means
 * @throws FqlError if it is none
 */
export function parseFql(filter: string, knows: (field: string) => boolean, nowMs: number): Filter {
  if (filter.trim() === '') return EVERYTHING;
  if (filter.length > CHARACTERS_MAX) throw new FqlError();
  const parser = new Parser(fqlTokens(filter), knows, nowMs);
  return { matches: parser.whole(), name: parser.dependsOnTime ? undefined : filter };
}

class Parser {
  dependsOnTime = false;
  private position = 0;

  constructor(
    private readonly tokens: FqlToken[],
    private readonly knows: (field: string) => boolean,
    private readonly nowMs: number,
  ) {}

  whole(): Predicate {
    const predicate = this.alternatives(0);
    if (this.position < this.tokens.length) throw new FqlError();
    return predicate;
  }

  private alternatives(depth: number): Predicate {
    const terms = [this.conjunction(depth)];
    while (this.takes(',')) terms.push(this.conjunction(depth));
    return (record) => terms.some((term) => term(record));
  }

  private conjunction(depth: number): Predicate {
    const terms = [this.term(depth)];
    while (this.takes('+')) terms.push(this.term(depth));
    return (record) => terms.every((term) => term(record));
  }

  private term(depth: number): Predicate {
    if (!this.takes('(')) return this.comparison();
    if (depth === DEPTH_MAX) throw new FqlError();
    const predicate = this.alternatives(depth + 1);
    this.expect(')');
    return predicate;
  }

  private comparison(): Predicate {
    const name = this.next();
    if (name.kind !== 'name' || !this.knows(name.text)) throw new FqlError();
    this.expect(':');
    const operators = this.operators();
    const isNegated = operators[0] === '!';
    const [operator, ...more] = isNegated ? operators.slice(1) : operators;
    if (more.length > 0 || operator === '!') throw new FqlError();
    const comparisons = this.values(operator as Operator | undefined);
    const path = name.text.split('.');
    return (record) => {
      const values = valuesAt(record, path);
      return isNegated !== comparisons.some((holds) => values.some(holds));
    };
  }

  private operators(): string[] {
    const signs: string[] = [];
    for (;;) {
      const token = this.tokens[this.position];
      if (token?.kind !== 'sign' || !OPERATORS.includes(token.text)) return signs;
      signs.push(token.text);
      this.position += 1;
    }
  }

  private values(operator: Operator | undefined): Comparison[] {
    if (!this.takes('[')) return [this.value(operator)];
    const comparisons = [this.value(operator)];
    while (this.takes(',')) comparisons.push(this.value(operator));
    this.expect(']');
    return comparisons;
  }

  private value(operator: Operator | undefined): Comparison {
    const token = this.next();
    if (token.kind === 'name' || token.kind === 'sign') throw new FqlError();
    const { holds, dependsOnTime } = comparisonOf(operator, token, this.nowMs);
    this.dependsOnTime ||= dependsOnTime;
    return holds;
  }

  private next(): FqlToken {
    const token = this.tokens[this.position];
    if (token === undefined) throw new FqlError();
    this.position += 1;
    return token;
  }

  private takes(sign: string): boolean {
    const token = this.tokens[this.position];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.position += 1;
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw new FqlError();
  }
}
