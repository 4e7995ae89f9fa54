/** What a program has opened; closes in the reverse order of opening, also where a later step fails. */
export class Resources {
  private readonly closers: (() => Promise<unknown>)[] = [];

  add<T>(resource: T, close: (resource: T) => Promise<unknown>): T {
    this.closers.push(() => close(resource));
    return resource;
  }

  /** Further calls find nothing left to close. */
  async close(): Promise<void> {
    for (let closer = this.closers.pop(); closer; closer = this.closers.pop()) await closer();
  }
}
