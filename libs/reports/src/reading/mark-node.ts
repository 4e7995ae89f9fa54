/** A place in a document that some mark names, or that is around one. */
export class MarkNode {
  isSeen = false;
  /** Of a list of JSON: how many it has. Of an element of XML: how many there are. */
  elements = 0;
  /** The last text here; empty for `null`. */
  text = '';
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

  /** @param wanted `=1.0`, `=1.*` or `!=1.0` */
  watch(wanted: string): void {
    this.texts.set(wanted, false);
  }

  hasText(wanted: string): boolean {
    return this.texts.get(wanted) ?? false;
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
    this.text = text;
    for (const wanted of this.texts.keys()) if (isWanted(text, wanted)) this.texts.set(wanted, true);
  }
}

function isWanted(text: string, wanted: string): boolean {
  if (wanted.startsWith('!=')) return text !== wanted.slice(2);
  const exact = wanted.slice(1);
  return exact.endsWith('*') ? text.startsWith(exact.slice(0, -1)) : text === exact;
}
