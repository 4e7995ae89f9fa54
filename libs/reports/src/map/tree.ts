import { objectOf, textOf } from '../reading/json-fields.ts';
import type { XmlElement } from '../reading/xml-events.ts';
import type { Step } from './map-path.ts';

/** How the parts of a record are reached, whatever its syntax. Nothing of a prototype is reached. */
export interface Tree {
  /** The values of a name; of a list its elements. */
  named(node: unknown, name: string): unknown[];
  /** The names and values of all members. */
  members(node: unknown): [name: string, value: unknown][];
  /** Trimmed text; null if it is none or empty. */
  text(node: unknown): string | null;
}

/** More values of one path are not read: a signal keeps 500 of a list. */
const VALUES_MAX = 1_000;

const elementsOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

export const jsonTree: Tree = {
  named(node, name) {
    const object = objectOf(node);
    return Object.hasOwn(object, name) ? elementsOf(object[name]) : [];
  },
  members: (node) => Object.entries(objectOf(node)),
  text: (node) => (typeof node === 'boolean' ? String(node) : textOf(node)),
};

/** A child element by its name, an attribute as `@name`. */
export const xmlTree: Tree = {
  named(node, name) {
    const { attributes, children } = elementOf(node);
    if (!name.startsWith('@')) return children.filter((child) => child.name === name);
    return Object.hasOwn(attributes, name.slice(1)) ? [attributes[name.slice(1)]] : [];
  },
  members(node) {
    const { attributes, children } = elementOf(node);
    return [
      ...Object.entries(attributes).map(([name, value]): [string, unknown] => [`@${name}`, value]),
      ...children.map((child): [string, unknown] => [child.name, child]),
    ];
  },
  text: (node) => textOf(typeof node === 'string' ? node : elementOf(node).text),
};

const NOTHING: XmlElement = { name: '', attributes: {}, text: '', children: [], line: 0 };
const elementOf = (node: unknown): XmlElement =>
  typeof node === 'object' && node !== null ? (node as XmlElement) : NOTHING;

/** A row of a table, by the names of its columns in lower case. */
export const rowTree: Tree = {
  named(node, name) {
    const row = objectOf(node);
    const column = name.toLowerCase();
    return Object.hasOwn(row, column) ? [row[column]] : [];
  },
  members: (node) => Object.entries(objectOf(node)),
  text: textOf,
};

/** The values at the end of some steps, the first 1,000 unless all are requested. */
export function valuesAt(tree: Tree, node: unknown, steps: Step[], max = VALUES_MAX): unknown[] {
  let values: unknown[] = [node];
  for (const step of steps) {
    const next: unknown[] = [];
    for (const value of values) {
      for (const each of picked(tree, value, step)) next.push(each);
      if (next.length >= max) break;
    }
    values = next.length > max ? next.slice(0, max) : next;
  }
  return values;
}

function picked(tree: Tree, node: unknown, { name, pick }: Step): unknown[] {
  const values =
    name === null ? tree.members(node).flatMap(([, value]) => elementsOf(value)) : tree.named(node, name);
  if (pick === 'all') return values;
  if (pick === 'first') return values.slice(0, 1);
  if (typeof pick === 'number') return values.slice(pick, pick + 1);
  const { field, text } = pick;
  return values.filter((value) => tree.named(value, field).some((each) => tree.text(each) === text));
}
