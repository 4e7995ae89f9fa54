/** Bytes that a kind of work may hold at a time: what does not fit is refused at once, never queued unseen. */
export class ByteBudget {
  private taken = 0;

  constructor(private readonly bytesMax: number) {}

  /** Takes bytes; answers how to give them back (once, further calls do nothing), or null where they do not fit. */
  take(bytes: number): (() => void) | null {
    if (this.taken + bytes > this.bytesMax) return null;
    this.taken += bytes;
    let held = bytes;
    return () => {
      this.taken -= held;
      held = 0;
    };
  }
}
