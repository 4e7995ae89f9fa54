import { type ParsedTokenInfo, TokenType } from '@streamparser/json';

/** The kinds of values that a token of JSON begins or ends. */
export type TokenEvent = 'object' | 'array' | 'end' | 'key' | 'scalar' | null;

/** Names of members and places in arrays, from 0, from the outside in; null before an object's first member. */
export type TrailPath = (string | number | null)[];

/** Follows the tokens of a JSON document, or of several in sequence, and tracks the path of each value. */
export class TokenTrail {
  /** Of each open object and array, the key or index that is being read. */
  readonly path: TrailPath = [];
  private expectsKey = false;

  take({ token, value }: ParsedTokenInfo): TokenEvent {
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.path.push(null);
        this.expectsKey = true;
        return 'object';
      case TokenType.LEFT_BRACKET:
        this.path.push(0);
        this.expectsKey = false;
        return 'array';
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.path.pop();
        this.expectsKey = false;
        return 'end';
      case TokenType.COMMA:
        this.next();
        return null;
      case TokenType.COLON:
        return null;
      default:
        return this.expectsKey ? this.key(value as string) : 'scalar';
    }
  }

  private key(name: string): TokenEvent {
    this.path[this.path.length - 1] = name;
    this.expectsKey = false;
    return 'key';
  }

  private next(): void {
    const place = this.path.at(-1);
    if (typeof place === 'number') this.path[this.path.length - 1] = place + 1;
    else this.expectsKey = true;
  }
}

/**
 * Whether the first `depth` steps of a path match a pattern.
 * @param pattern names of members, `*` for any and for places in arrays
 */
export const isAt = (pattern: string[], path: TrailPath, depth = path.length): boolean =>
  pattern.length === depth && pattern.every((name, i) => name === '*' || name === path[i]);
