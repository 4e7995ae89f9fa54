import { jsonElements } from '../reading/json-elements.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import type { MapPath, Step } from './map-path.ts';
import type { DocumentTexts } from './scope.ts';
import { jsonTree, type Tree, valuesAt, xmlTree } from './tree.ts';

/** The texts of paths outside of the records, which may follow them: the file is read for them once more. */
export async function readDocumentTexts(
  file: ReportFile,
  paths: MapPath[],
  root: string | null,
): Promise<DocumentTexts> {
  if (paths.length === 0) return new Map();
  return root === null ? textsOfJson(file, paths) : textsOfXml(file, paths, root);
}

async function textsOfJson(file: ReportFile, paths: MapPath[]): Promise<DocumentTexts> {
  const texts = new Map<string, string[]>();
  const requests = paths
    .map((path) => ({ path, names: plainNames(path.steps) }))
    .filter(({ names }) => names.length > 0);
  const patterns = [...new Set(requests.map(({ names }) => `$.${names.join('.')}`))];
  if (patterns.length === 0) return texts;
  // Its evidence counts elements, and the records are read in another pass.
  const { evidence: _, ...unwatched } = file;
  for await (const { path: found, value } of jsonElements(unwatched, patterns)) {
    for (const { path, names } of requests) {
      if (names.length === found.length && names.every((name, i) => name === found[i]))
        add(texts, path, jsonTree, value, path.steps.slice(names.length), path.steps[names.length - 1]!);
    }
  }
  return texts;
}

/** The first steps that only name a member, and the one after them that picks of a list. */
function plainNames(steps: Step[]): string[] {
  const names: string[] = [];
  for (const { name, pick } of steps) {
    if (name === null || name === '' || name.includes('.') || name === '*') break;
    names.push(name);
    if (pick !== 'first') break;
  }
  return names;
}

async function textsOfXml(file: ReportFile, paths: MapPath[], root: string): Promise<DocumentTexts> {
  const texts = new Map<string, string[]>();
  const firsts = new Set(
    paths.map(({ steps }) => steps[0]?.name).filter((name) => name && !name.startsWith('@')),
  );
  const parts = { elements: [...firsts].map((name) => `${root}/${name}`), marks: [`/${root}`] };
  for await (const event of xmlEvents(file, parts)) {
    if (event.kind === 'begin') {
      const node = { name: root, attributes: event.attributes, text: '', children: [], line: 0 };
      for (const path of paths.filter(({ steps }) => steps[0]?.name?.startsWith('@')))
        texts.set(path.text, textsIn(xmlTree, node, path.steps));
    } else if (event.kind === 'element') {
      const around: XmlElement = { name: root, attributes: {}, text: '', children: [event.element], line: 0 };
      for (const path of paths) {
        const found = textsIn(xmlTree, around, path.steps);
        if (found.length > 0 && !texts.has(path.text)) texts.set(path.text, found);
      }
    }
  }
  return texts;
}

function add(
  texts: Map<string, string[]>,
  { text }: MapPath,
  tree: Tree,
  value: unknown,
  rest: Step[],
  last: Step,
): void {
  const around = { value };
  texts.set(text, textsIn(tree, around, [{ name: 'value', pick: last.pick }, ...rest]));
}

const textsIn = (tree: Tree, node: unknown, steps: Step[]): string[] =>
  valuesAt(tree, node, steps)
    .map((value) => tree.text(value))
    .filter((text) => text !== null);
