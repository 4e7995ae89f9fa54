/** Which entities several ZIPs name: the outcome of them in one ZIP depends on the others. */
export class SharedEntities {
  private readonly seen = new Set<string>();
  private readonly shared = new Set<string>();

  /** Takes the entity keys of one ZIP. */
  add(keys: Iterable<string>): void {
    for (const key of keys) {
      if (this.seen.has(key)) this.shared.add(key);
      else this.seen.add(key);
    }
  }

  /** Those of more than one ZIP, in order. */
  get keys(): string[] {
    return [...this.shared].sort();
  }
}
