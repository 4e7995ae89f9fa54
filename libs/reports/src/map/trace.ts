import type { ExplainedItem, ReportItem } from '../format.ts';
import { type MapPath, shapeOf } from './map-path.ts';
import type { Scope } from './scope.ts';
import type { Tree } from './tree.ts';

const LEFT_MAX = 100;

/** Notes the paths that are read for each field. */
export class Trace {
  private field = '';
  private found = new Map<string, Set<string>>();
  private readonly named = new Map<number, Set<string>>();

  begin(): void {
    this.found = new Map();
  }

  readonly onField = (field: string): void => {
    this.field = field;
  };

  readonly onUse = (path: MapPath, texts: string[]): void => {
    if (path.from !== 'document') {
      const named = this.named.get(path.from) ?? new Set();
      this.named.set(path.from, named.add(shapeOf(path)));
    }
    if (texts.length === 0) return;
    const paths = this.found.get(this.field) ?? new Set();
    this.found.set(this.field, paths.add(path.text));
  };

  explain(item: ReportItem, scope: Scope): ExplainedItem {
    const left: string[] = [];
    let level = 0;
    for (let each: Scope | null = scope; each && left.length < LEFT_MAX; each = each.outer) {
      const prefix = '^.'.repeat(level);
      const named = this.named.get(level) ?? new Set<string>();
      for (const leaf of leavesOf(each.tree, each.node, '', 0)) {
        if (left.length < LEFT_MAX && !isNamed(leaf, named)) left.push(`${prefix}${leaf}`);
      }
      level += 1;
    }
    const fields = [...this.found].filter(([field]) => field !== 'skip');
    return {
      item,
      fields: fields.map(([field, from]) => ({ field, from: [...from] })),
      left: [...new Set(left)],
    };
  }
}

const DEPTH_SHOWN_MAX = 8;

/** The shapes of the places that have a text. */
function* leavesOf(tree: Tree, node: unknown, shape: string, depth: number): Generator<string> {
  if (depth > DEPTH_SHOWN_MAX) return;
  if (Array.isArray(node)) {
    for (const each of node.slice(0, 20)) yield* leavesOf(tree, each, `${shape}[]`, depth + 1);
    return;
  }
  if (shape !== '' && tree.text(node) !== null) yield shape;
  for (const [name, value] of tree.members(node))
    yield* leavesOf(tree, value, shape === '' ? name : `${shape}.${name}`, depth + 1);
}

/** A path that names it, or something around or in it; a list and its first element are the same here. */
function isNamed(leaf: string, named: ReadonlySet<string>): boolean {
  const steps = stepsOf(leaf);
  return [...named].some((shape) => {
    const others = stepsOf(shape);
    return others.length === steps.length && others.every((name, i) => name === '*' || name === steps[i]);
  });
}

const stepsOf = (shape: string): string[] => shape.replaceAll('[]', '').split('.');
