/** The opened resources of a program; closes them in the reverse order of opening, also if a later step fails. */
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
