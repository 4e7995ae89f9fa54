import type { Evidence } from './evidence.ts';
import type { MarkNode } from './mark-node.ts';

/** Shows an XML document to the evidence, element by element. */
export class XmlCursor {
  /** Of each open element; null if no mark leads to. */
  private readonly open: (MarkNode | null)[] = [];

  constructor(private readonly evidence: Evidence) {}

  begin(name: string, attributes: Record<string, string>): void {
    this.evidence.meet(name);
    const outer = this.open.length === 0 ? this.evidence.top : this.open.at(-1)!;
    const node = outer?.enter(name) ?? null;
    if (node) {
      node.elements += 1;
      for (const [attribute, text] of Object.entries(attributes)) node.enter(`@${attribute}`)?.read(text);
    }
    this.open.push(node);
  }

  text(text: string): void {
    const trimmed = text.trim();
    if (trimmed !== '') this.open.at(-1)?.read(trimmed);
  }

  end(): void {
    this.open.pop();
  }
}
