import type { MapPath } from './map-path.ts';
import { type Tree, valuesAt } from './tree.ts';

/** The texts that a document has outside of its records, by path. */
export type DocumentTexts = ReadonlyMap<string, string[]>;

/** An element of a report that paths begin in, with the elements around its list. */
export class Scope {
  private readonly texts = new Map<string, string[]>();

  /**
   * @param outer null: the document is around it
   * @param onUse receives the paths that are read, and their texts
   */
  constructor(
    readonly tree: Tree,
    readonly node: unknown,
    readonly outer: Scope | null,
    private readonly document: DocumentTexts,
    private readonly onUse?: (path: MapPath, texts: string[]) => void,
  ) {}

  /** An element in a list of this one. `undefined`: one that has nothing itself. */
  inner(node: unknown): Scope {
    return new Scope(this.tree, node, this, this.document, this.onUse);
  }

  /** The texts at a path; each path is read once for each element, however often it is used. */
  textsOf(path: MapPath): string[] {
    const texts = this.reach(path.from)?.textsHere(path) ?? this.document.get(path.text) ?? [];
    this.onUse?.(path, texts);
    return texts;
  }

  private reach(levels: MapPath['from']): Scope | null {
    if (levels === 'document') return null;
    let scope: Scope | null = this;
    for (let i = 0; i < levels && scope; i++) scope = scope.outer;
    return scope;
  }

  private textsHere(path: MapPath): string[] {
    const known = this.texts.get(path.text);
    if (known) return known;
    const texts = valuesAt(this.tree, this.node, path.steps)
      .map((value) => this.tree.text(value))
      .filter((text) => text !== null);
    this.texts.set(path.text, texts);
    return texts;
  }
}
