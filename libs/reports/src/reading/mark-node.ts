/** A place in a document that some mark names, or that is around one. */
export class MarkNode {
  isSeen = false;
  /** Of a list: it has an element. */
  isFilled = false;
  /** The first member that is not among the known ones. */
  stranger: string | null = null;
  private members: Set<string> | null = null;
  private readonly inner = new Map<string, MarkNode>();
  private readonly texts = new Map<string, boolean>();

  /** The place within this one, made if need be. */
  at(names: string[]): MarkNode {
    const [first, ...rest] = names;
    if (first === undefined) return this;
    const node = this.inner.get(first) ?? new MarkNode();
    this.inner.set(first, node);
    return node.at(rest);
  }

  restrict(members: string[]): void {
    this.members = new Set(members);
  }

  watch(text: string): void {
    this.texts.set(text, false);
  }

  hasText(text: string): boolean {
    return this.texts.get(text) ?? false;
  }

  /** The document has a part of this name here. @returns null unless a mark names it */
  enter(name: string): MarkNode | null {
    if (this.members?.has(name) === false) this.stranger ??= name;
    const node = this.inner.get(name) ?? null;
    if (node) node.isSeen = true;
    return node;
  }

  /** The document has this text here. */
  read(text: string): void {
    for (const wanted of this.texts.keys()) {
      if (wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted)
        this.texts.set(wanted, true);
    }
  }
}
