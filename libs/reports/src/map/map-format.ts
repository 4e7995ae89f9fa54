import { FINDING_TYPES } from '#libs/domain';
import type { Form } from '../form.ts';
import type { Format, FoundAsset, ReadOptions, ReportItem } from '../format.ts';
import { delimiterOf } from '../reading/csv-header.ts';
import { csvRecords } from '../reading/csv-records.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import { jsonRecords } from '../reading/json-records.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { xmlEvents } from '../reading/xml-events.ts';
import { beginsAs, formOfWhole } from '../recognise.ts';
import { readDocumentTexts } from './document-texts.ts';
import { compileAsset, compileItem, type ReadAsset, type ReadItem } from './finding-of.ts';
import { type MapPath, readPath, shapeOf } from './map-path.ts';
import { type Location, ValueCompiler } from './map-values.ts';
import type { MapForm, MapRecords, ReportMap } from './report-map.ts';
import { type DocumentTexts, Scope } from './scope.ts';
import { Trace } from './trace.ts';
import { jsonTree, rowTree, type Tree, valuesAt, xmlTree } from './tree.ts';

/** A map that is wrong: where, and what was expected. */
export interface MapProblem {
  at: Location;
  problem: string;
}

interface CompiledMap {
  map: ReportMap;
  tree: Tree;
  paths: MapPath[];
  readItem: ReadItem;
  readAsset: ReadAsset;
  isSeen: (scope: Scope) => boolean;
  /** The paths of `each`, by the text of `each`. */
  lists: Map<string, MapPath>;
}

const TREES: Record<ReportMap['kind'], Tree> = {
  json: jsonTree,
  jsonLines: jsonTree,
  csv: rowTree,
  xml: xmlTree,
};

/** A map as a format, like those in code. @returns its problems if it is not right beyond its schema */
export function formatOfMap(map: ReportMap): Format | MapProblem[] {
  const compiler = new ValueCompiler();
  const lists = new Map<string, MapPath>();
  for (const [i, form] of map.forms.entries()) {
    const each =
      form.records?.flatMap(({ each = [] }, j) =>
        each.map((path, k) => ({ path, at: ['forms', i, 'records', j, 'each', k] })),
      ) ?? [];
    for (const { path, at } of [
      ...each,
      ...(form.each ?? []).map((path, k) => ({ path, at: ['forms', i, 'each', k] })),
    ]) {
      const read = readPath(path);
      if (read?.from === 0) lists.set(path, read);
      else compiler.problems.push({ at, problem: 'must be a path in the record, such as items[]' });
    }
  }
  const compiled: CompiledMap = {
    map,
    tree: TREES[map.kind],
    readItem: compileItem(map, compiler),
    readAsset: compileAsset(map.asset ?? {}, new ValueCompiler()),
    isSeen: compiler.condition(map.asset?.seenWhen ?? [], ['asset', 'seenWhen']),
    paths: compiler.paths,
    lists,
  };
  const problems = [...formProblems(map), ...typeProblems(map), ...compiler.problems];
  if (problems.length > 0) return problems;
  const { name, title, unit, source, forms } = map;
  return {
    name,
    aliases: [],
    title,
    noun: `a report of ${title}`,
    unit,
    source,
    namesApplications: map.asset?.isApplication ?? false,
    forms: forms.map((form) => formOf(map.kind, form)),
    read: (file, options) => read(compiled, file, options),
  };
}

/** What each kind of file needs. */
function formProblems({ kind, forms }: ReportMap): MapProblem[] {
  const needed: (keyof MapForm)[] =
    kind === 'csv' ? ['columns'] : kind === 'jsonLines' ? ['marks', 'lists'] : ['marks', 'records'];
  // What says that a report is incomplete is found in members, and only lists of JSON are counted.
  const unfit: (keyof MapForm)[] = kind === 'csv' ? ['partial', 'totals'] : kind === 'xml' ? ['totals'] : [];
  const problemsOf = (form: MapForm) => [
    ...needed.filter((name) => form[name] === undefined).map((name) => `must have ${name}`),
    ...unfit.filter((name) => form[name] !== undefined).map((name) => `must not have ${name}`),
  ];
  return forms.flatMap((form, i) =>
    problemsOf(form).map((problem) => ({ at: ['forms', i], problem: `${problem}, because kind is ${kind}` })),
  );
}

/** A type without a path is known before a report is read. */
function typeProblems({ finding: { type } }: ReportMap): MapProblem[] {
  if (typeof type !== 'string' || type.includes('{') || FINDING_TYPES.some((each) => each === type))
    return [];
  const problem = `must be one of ${FINDING_TYPES.join(', ')} (or a template)`;
  return [{ at: ['finding', 'type'], problem }];
}

function formOf(kind: ReportMap['kind'], form: MapForm): Form {
  if (kind !== 'csv') {
    const { marks = [], lists, later, foreign, partial, totals, records = [] } = form;
    return {
      syntax: kind === 'xml' ? 'xml' : 'json',
      marks,
      lists: lists ?? records.map(({ list }) => list),
      ...(later && { later }),
      ...(foreign && { foreign }),
      ...(partial && { partial }),
      ...(totals && { totals }),
    };
  }
  const columns = lowered(form.columns);
  const foreign = lowered(form.foreignColumns);
  return {
    syntax: 'text',
    isHeader: (names) =>
      columns.every((column) => names.includes(column)) && !foreign.some((column) => names.includes(column)),
  };
}

const lowered = (names: string[] = []): string[] => names.map((name) => name.toLowerCase());

/** A streamed element of a report. */
interface MapRecord {
  place: string;
  node: unknown;
  each: string[];
  skip?: string | undefined;
}

async function* read(
  compiled: CompiledMap,
  file: ReportFile,
  options: ReadOptions,
): AsyncGenerator<ReportItem> {
  const { map, tree } = compiled;
  const form = await formIn(map, file);
  const document = await readDocumentTexts(file, documentPaths(compiled, form), rootOf(map, form));
  if (map.asset?.seenIn?.includes('document')) {
    const asset = seenAsset(compiled, nothingIn(compiled, form, document), options);
    if (asset) yield { kind: 'asset', place: 'document', asset };
  }
  for await (const { place, node, each, skip } of recordsOf(map, form, file, options)) {
    const trace = options.onExplained && new Trace();
    const record = new Scope(tree, node, null, document, trace?.onUse);
    if (map.asset?.seenIn?.includes('records') && each.length > 0) {
      const asset = seenAsset(compiled, inNothing(record, each.length), options);
      if (asset) yield { kind: 'asset', place, asset };
    }
    for (const item of itemsIn(compiled, record, each, place)) {
      trace?.begin();
      const read = compiled.readItem(item.scope, item.place, {
        asset: options.asset,
        skip,
        ...(trace && { onField: trace.onField }),
      });
      if (trace) options.onExplained!(trace.explain(read, item.scope));
      yield read;
    }
  }
}

function seenAsset(
  { map, readAsset, isSeen }: CompiledMap,
  scope: Scope,
  { asset }: ReadOptions,
): FoundAsset | null {
  return map.asset?.seenWhen !== undefined && !isSeen(scope) ? null : readAsset(scope, { asset });
}

/** The place of a finding that has nothing itself: only what is around its lists. */
function inNothing(scope: Scope, levels: number): Scope {
  let inner = scope;
  for (let i = 0; i < levels; i++) inner = inner.inner(undefined);
  return inner;
}

const nothingIn = ({ tree }: CompiledMap, form: MapForm, document: DocumentTexts): Scope =>
  inNothing(new Scope(tree, undefined, null, document), levelsOf(form));

/** A finding's scope for each element of the innermost list. */
function* itemsIn(
  compiled: CompiledMap,
  scope: Scope,
  [list, ...inner]: string[],
  place: string,
): Generator<{ scope: Scope; place: string }> {
  if (list === undefined) {
    yield { scope, place };
    return;
  }
  const path = compiled.lists.get(list)!;
  let i = 0;
  for (const node of valuesAt(compiled.tree, scope.node, path.steps, Number.POSITIVE_INFINITY)) {
    const here = `${place}.${shapeOf(path).replace(/(\[\])?$/, '')}[${i}]`;
    yield* itemsIn(compiled, scope.inner(node), inner, here);
    i += 1;
  }
}

async function* recordsOf(
  { kind }: ReportMap,
  form: MapForm,
  file: ReportFile,
  { onProgress }: ReadOptions,
): AsyncGenerator<MapRecord> {
  const { records = [], each = [] } = form;
  if (kind === 'jsonLines') {
    for await (const { place, value } of jsonRecords(file, onProgress)) yield { place, node: value, each };
  } else if (kind === 'csv') {
    const isHeader = (formOf(kind, form) as Extract<Form, { syntax: 'text' }>).isHeader;
    for await (const row of csvRecords(file, isHeader, onProgress)) {
      if (!row.isEmpty) yield { place: `line ${row.line}`, node: row.fields(), each: [] };
    }
  } else if (kind === 'xml') {
    const elements = records.map(({ list }) => list.split('/').slice(-2).join('/'));
    for await (const event of xmlEvents(file, { elements, marks: [] }, onProgress)) {
      if (event.kind !== 'element') continue;
      const { path, element } = event;
      for (const { list, each = [], skip } of records) {
        if (list === path) yield { place: `line ${element.line}`, node: element, each, skip };
      }
    }
  } else {
    const patterns = records.map((record) => ({ record, names: namesOf(record.list) }));
    const paths = [...new Set(patterns.map(({ names }) => ['$', ...names].join('.')))];
    for await (const { path, value } of jsonElements(file, paths, onProgress)) {
      for (const { record, names } of patterns) {
        if (isAt(names, path))
          yield { place: placeOf(path), node: value, each: record.each ?? [], skip: record.skip };
      }
    }
  }
}

const isAt = (names: string[], path: (string | number)[]): boolean =>
  names.length === path.length && names.every((name, i) => name === '*' || name === path[i]);

/** `$.results.failed[]` is `results`, `failed`, `*`. */
const namesOf = (list: string): string[] =>
  list
    .replaceAll('[]', '.*')
    .split('.')
    .slice(1)
    .filter((name) => name !== '');

/** The form of a file by its marks; of a bare list or an object, the one that can be. */
async function formIn({ kind, forms }: ReportMap, file: ReportFile): Promise<MapForm> {
  if (kind === 'csv' || kind === 'jsonLines')
    return forms.length === 1 ? forms[0]! : formByMarks(kind, forms, file);
  const isList = file.head.trimStart().startsWith('[');
  const possible =
    kind === 'json'
      ? forms.filter(({ records = [] }) => records.some(({ list }) => list.startsWith('$[]') === isList))
      : forms;
  return possible.length === 1
    ? possible[0]!
    : formByMarks(kind, possible.length > 0 ? possible : forms, file);
}

/** By its beginning; if that shows none, by all of it. */
async function formByMarks(kind: ReportMap['kind'], forms: MapForm[], file: ReportFile): Promise<MapForm> {
  const marked = forms.map((form) => formOf(kind, form));
  const found =
    marked.find((form) =>
      form.syntax === 'text' ? delimiterOf(file.head, form.isHeader) !== null : beginsAs(file, form),
    ) ?? (await formOfWhole(file, marked));
  return forms[found ? marked.indexOf(found) : 0]!;
}

const levelsOf = ({ records = [], each = [] }: MapForm): number =>
  Math.max(each.length, ...records.map(({ each: lists = [] }) => lists.length));

/** Paths that begin in the document, or around the outermost list of findings. */
function documentPaths({ map, paths }: CompiledMap, form: MapForm): MapPath[] {
  if (map.kind !== 'json' && map.kind !== 'xml') return [];
  const depths = new Set((form.records ?? []).map(({ each = [] }: MapRecords) => each.length + 1));
  return paths.filter(({ from }) => from === 'document' || depths.has(from));
}

const rootOf = ({ kind }: ReportMap, { records = [] }: MapForm): string | null =>
  kind === 'xml' ? (records[0]?.list.split('/')[1] ?? '') : null;
