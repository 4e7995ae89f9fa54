import type { MarkedForm } from '../form.ts';
import { MarkNode } from './mark-node.ts';

/** Elements of a list, instead of a name. */
export const ELEMENT = '[]';

/** Notes which marks of some forms a document shows while it is read; small, however long the document is. */
export class Evidence {
  /** The document itself. */
  readonly top = new MarkNode();
  /** What a reader found that says that the document lacks findings, if no mark can. */
  foundLack: string | null = null;
  private readonly anyDepth = new Map<string, MarkNode>();

  constructor(readonly forms: MarkedForm[]) {
    for (const form of forms) {
      const { partial = [], totals = [], counted = [] } = form;
      for (const mark of [...marksOf(form), ...partial, ...totals, ...counted]) {
        const { wanted } = partsOf(mark);
        const node = this.nodeOf(mark);
        if (wanted !== null) node.watch(wanted);
      }
      if (form.members) this.nodeOf(form.members.at).restrict(form.members.names);
    }
  }

  /** An element of this name begins, wherever it is. */
  meet(name: string): void {
    const node = this.anyDepth.get(name);
    if (node) node.isSeen = true;
  }

  /** The evidence of this form at the beginning of a file. */
  begins(form: MarkedForm): boolean {
    return form.marks.every((mark) => this.shows(mark)) && this.foreignTo(form) === null;
  }

  /** Whether a completely read document is of this form. */
  has(form: MarkedForm): boolean {
    return this.problemOf(form) === null;
  }

  /** Why a completely read document has none of the forms, as a message about the closest form; null if it has one. */
  problem(): string | null {
    const problems = this.forms.map((form) => this.problemOf(form));
    if (problems.length === 0 || problems.includes(null)) return null;
    const shown = this.forms.map((form) => marksOf(form).filter((mark) => this.shows(mark)).length);
    return problems[shown.indexOf(Math.max(...shown))]!;
  }

  /** What says that a completely read document lacks findings; null if nothing does. */
  lack(): string | null {
    const lacks = this.forms.filter((form) => this.has(form)).map((form) => this.lackOf(form));
    return lacks.find((lack) => lack !== null) ?? this.foundLack;
  }

  private lackOf({ lists, partial = [], totals = [], counted = lists }: MarkedForm): string | null {
    const mark = partial.find((each) =>
      partsOf(each).wanted === null ? this.nodeOf(each).text !== '' : this.shows(each),
    );
    if (mark !== undefined) return said(mark);
    const elements = counted.reduce((sum, list) => sum + this.nodeOf(list).elements, 0);
    const total = totals.find((each) => Number(this.nodeOf(each).text) > elements);
    return total === undefined ? null : `it has ${elements} elements, fewer than its ${nameOf(total)}`;
  }

  private problemOf(form: MarkedForm): string | null {
    const foreign = this.foreignTo(form);
    if (foreign !== null) return `it has ${foreign}`;
    const lists = form.lists.filter((list) => this.shows(list));
    if (lists.length === 0) return missing(form.lists);
    const emptyLists = lists.filter((list) => list.endsWith(ELEMENT) && this.nodeOf(list).elements === 0);
    const lacking = [...form.marks, ...(form.later ?? [])]
      .filter((mark) => !emptyLists.some((list) => mark.startsWith(`${list}.`)))
      .find((mark) => !this.shows(mark));
    return lacking === undefined ? null : missing([lacking]);
  }

  /** The evidence of another tool's document; null if there is none. */
  private foreignTo({ foreign = [], members }: MarkedForm): string | null {
    const mark = foreign.find((each) => this.shows(each));
    if (mark !== undefined) return nameOf(mark);
    const stranger = members ? this.nodeOf(members.at).stranger : null;
    return stranger === null ? null : `${printableName(stranger)} in ${nameOf(members!.at)}`;
  }

  private shows(mark: string): boolean {
    const { wanted } = partsOf(mark);
    const node = this.nodeOf(mark);
    return wanted === null ? node.isSeen : node.hasText(wanted);
  }

  private nodeOf(mark: string): MarkNode {
    const { names, isAnyDepth } = partsOf(mark);
    if (!isAnyDepth) return this.top.at(names);
    const name = names[0]!;
    const node = this.anyDepth.get(name) ?? new MarkNode();
    this.anyDepth.set(name, node);
    return node;
  }
}

const marksOf = ({ marks, lists, later = [], foreign = [] }: MarkedForm): string[] => [
  ...marks,
  ...lists,
  ...later,
  ...foreign,
];

/** `$.runs[].results[]` is `runs`, `[]`, `results`, `[]`; `$.'a.b'` is `a.b`; `/bom@version` is `bom`, `@version`. */
function partsOf(mark: string): { names: string[]; wanted: string | null; isAnyDepth: boolean } {
  const end = mark.search(/!?=/);
  const path = end < 0 ? mark : mark.slice(0, end);
  const names = path.startsWith('$')
    ? [
        ...path
          .slice(1)
          .replaceAll(ELEMENT, `.${ELEMENT}`)
          .matchAll(/'([^']+)'|[^.]+/g),
      ].map(([name, quoted]) => quoted ?? name)
    : path.replaceAll('@', '/@').split('/');
  return {
    names: names.filter((name) => name !== ''),
    wanted: end < 0 ? null : mark.slice(end),
    isAnyDepth: path.startsWith('//'),
  };
}

function missing(marks: string[]): string {
  const { names, wanted } = partsOf(marks[0]!);
  if (names.length === 0) return 'it is not an object';
  if (wanted !== null)
    return `its ${nameOf(marks[0]!)} ${wanted.replace(/^!=/, 'is ').replace(/^=/, 'is not ')}`;
  if (names.length === 1 && names[0] === ELEMENT) return 'it is not a list';
  if (names.length === 1 && marks[0]!.startsWith('/')) return `its root is not ${names[0]}`;
  return `it has no ${marks.map(nameOf).join(' or ')}`;
}

function said(mark: string): string {
  const { wanted } = partsOf(mark);
  const name = nameOf(mark);
  if (wanted === null) return `it has ${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
  return `its ${name} ${wanted.replace(/^!=/, 'is not ').replace(/^=/, 'is ')}`;
}

/** `results in runs` */
const nameOf = (mark: string): string =>
  partsOf(mark)
    .names.filter((name) => name !== ELEMENT)
    .map((name) => (mark.startsWith('/') ? name.replace(/^@/, '') : name))
    .reverse()
    .join(' in ');

/** Any other name may be part of the report's content. */
const printableName = (name: string): string => (/^\w{1,40}$/.test(name) ? name : 'an unknown member');
