/** Bytes that a kind of work may hold at a time: what does not fit is refused at once, never queued unseen. */
export class ByteBudget {
  private held = 0;

  constructor(private readonly bytesMax: number) {}

  /** What one request holds: nothing yet. */
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

/** The bytes of one request in a budget, counted as they come: a client that only announces many holds none. */
export interface HeldBytes {
  /** Answers whether they fit; nothing is taken where they do not. */
  take(bytes: number): boolean;
  /** Gives back all that was taken. */
  release(): void;
}
