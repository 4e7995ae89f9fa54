/** How far a stream was read, for people. */
export class StreamPosition {
  /** Bytes or characters. */
  length = 0;
  unit: 'byte' | 'character' = 'byte';
  private line = 1;
  private lineStart = 0;

  /** @param chunk the next piece */
  pass(chunk: Buffer | string): void {
    if (typeof chunk === 'string') {
      this.unit = 'character';
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', end + 1)) {
        this.line += 1;
        this.lineStart = this.length + end + 1;
      }
    }
    this.length += chunk.length;
  }

  /** `byte 17`; of a text `line 3, column 17`, of the character that comes next. */
  toString(): string {
    return this.unit === 'byte'
      ? `byte ${this.length}`
      : `line ${this.line}, column ${this.length - this.lineStart + 1}`;
  }
}
