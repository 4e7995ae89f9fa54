import { type ParsedTokenInfo, TokenType } from '@streamparser/json';

/** Follows the tokens of a JSON document: whether they are of a value that is asked for, which the parser keeps. */
export class AskedFor {
  /** Where it is in each object that is open, from the outside in; null in an array. */
  private readonly keys: (string | null)[] = [];
  private depth = 0;
  private text = '';
  /** How deep the value is that is asked for; null outside of any. */
  private openAt: number | null = null;
  private readonly paths: string[][];

  constructor(paths: string[]) {
    this.paths = paths.map((path) => path.split('.').slice(1));
  }

  get isOpen(): boolean {
    return this.openAt !== null;
  }

  take({ token, value }: ParsedTokenInfo): void {
    if (token === TokenType.STRING) this.text = value as string;
    else if (token === TokenType.COLON) this.keys[this.depth - 1] = this.text;
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.open();
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.close();
  }

  private open(): void {
    if (this.openAt === null && this.paths.some((path) => this.isHere(path))) this.openAt = this.depth;
    this.keys[this.depth] = null;
    this.depth += 1;
  }

  private close(): void {
    this.depth -= 1;
    if (this.openAt === this.depth) this.openAt = null;
  }

  private isHere(path: string[]): boolean {
    return path.length === this.depth && path.every((key, i) => key === '*' || key === this.keys[i]);
  }
}
