/** Bytes that a kind of work may use at a time: requests that do not fit are rejected at once, never queued. */
export class ByteBudget {
  private held = 0;

  constructor(private readonly bytesMax: number) {}

  /** A new share of one request, still empty. */
  hold(): HeldBytes {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > this.bytesMax) return false;
        this.held += bytes;
        own += bytes;
        return true;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }
}

/** The bytes of one request in a budget, counted as they arrive: announcing many reserves none. */
export interface HeldBytes {
  /** Returns whether they fit; nothing is taken if they do not. */
  take(bytes: number): boolean;
  /** Gives back all that was taken. */
  release(): void;
}
