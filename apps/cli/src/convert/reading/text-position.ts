/** How far a text was read, for people. */
export class TextPosition {
  /** From 1. */
  line = 1;
  /** Characters of the line so far. */
  private chars = 0;

  /** @param text the next piece */
  pass(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.line += 1;
      this.chars = 0;
      start = end + 1;
    }
    this.chars += text.length - start;
  }

  /** `line 3, column 17`: of the character that comes next. */
  toString(): string {
    return `line ${this.line}, column ${this.chars + 1}`;
  }
}
