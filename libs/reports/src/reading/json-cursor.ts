import type { TokenEvent, TrailPath } from '#libs/readers';
import { ELEMENT, type Evidence } from './evidence.ts';
import type { MarkNode } from './mark-node.ts';

/** Shows a JSON document to the evidence: token by token, or a value that was read already. */
export class JsonCursor {
  /** Of each open object and array; null if no mark leads to. */
  private readonly open: (MarkNode | null)[] = [];
  /** Of the member that is being read. */
  private member: MarkNode | null = null;

  constructor(private readonly evidence: Evidence) {}

  /** @param path including the value that the event begins, without the one that it ends */
  take(event: TokenEvent, path: TrailPath, text: unknown): void {
    if (event === null) return;
    if (event === 'end') {
      this.open.pop();
      return;
    }
    const outer = this.open.at(-1) ?? null;
    if (event === 'key') {
      this.member = outer?.enter(String(text)) ?? null;
      return;
    }
    const around = path.length - (event === 'scalar' ? 0 : 1);
    const isElement = typeof path[around - 1] === 'number';
    if (isElement && outer) outer.elements += 1;
    const here = around === 0 ? this.evidence.top : isElement ? outer : this.member;
    if (event === 'scalar') here?.read(textOf(text));
    else if (event === 'array') this.open.push(here?.enter(ELEMENT) ?? null);
    else {
      if (here) here.isSeen = true;
      this.open.push(here);
    }
  }

  /** A separate document, such as a line of JSON Lines. */
  show(value: unknown): void {
    this.showAt(this.evidence.top, value);
  }

  /** Goes no deeper than the marks. */
  private showAt(here: MarkNode, value: unknown): void {
    if (Array.isArray(value)) {
      const list = here.enter(ELEMENT);
      if (!list) return;
      for (const element of value) {
        list.elements += 1;
        this.showAt(list, element);
      }
    } else if (typeof value === 'object' && value !== null) {
      here.isSeen = true;
      for (const [name, inner] of Object.entries(value)) {
        const member = here.enter(name);
        if (member) this.showAt(member, inner);
      }
    } else here.read(textOf(value));
  }
}

const textOf = (scalar: unknown): string => (scalar === null ? '' : String(scalar));
