import { TextDecoder } from 'node:util';

/** Finds the first bytes of a file that are no characters of its encoding. */
export class EncodingCheck {
  /** Of the first such bytes, from 1; null if there are none so far. */
  line: number | null = null;
  private readonly strict: TextDecoder;
  private linesBefore = 0;

  constructor(readonly encoding: string) {
    this.strict = new TextDecoder(encoding, { fatal: true });
  }

  /**
   * @param bytes the next piece; null at the end
   * @param text the outcome of it, with U+FFFD in place of invalid bytes
   */
  take(bytes: Buffer | null, text: string): void {
    if (this.line !== null) return;
    try {
      if (bytes === null) this.strict.decode();
      else this.strict.decode(bytes, { stream: true });
      this.linesBefore += lineEndsIn(text);
    } catch {
      this.line = this.linesBefore + lineEndsIn(text.split('\uFFFD', 1)[0]!) + 1;
    }
  }
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
