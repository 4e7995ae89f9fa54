/** A parsed path of a map, such as `^.packages[].name` (docs/report-maps.md). */
export interface MapPath {
  /** As it is written, for people. */
  text: string;
  /** The element that it begins in: the finding (0), the one around its list (1), and so on; or the document. */
  from: number | 'document';
  steps: Step[];
}

export interface Step {
  /** null: any member. */
  name: string | null;
  /** Which of the values of that name: the first, all, the one at an index from 0, or all with this text in a field. */
  pick: 'first' | 'all' | number | { field: string; text: string };
}

export const STEPS_MAX = 20;

const PREFIX = /^(?:\$|\^(?:\.\^)*)(?:\.|$)/;
/** A name, a quoted name (two quotes for one in it), or any name; then an index, a filter or all. */
const STEP =
  /^(?:(\*)|'((?:[^']|'')+)'|([^.[\]{}'*^$]+))(?:\[(?:(\d{1,6})|([^\]=']{1,100})=([^\]]{0,200}))?\])?(?:\.(?!$)|$)/;

/** @returns null if the text is no path */
export function readPath(text: string): MapPath | null {
  if (text === '.') return { text, from: 0, steps: [] };
  const prefix = PREFIX.exec(text)?.[0] ?? '';
  const from = prefix.startsWith('$') ? 'document' : [...prefix].filter((char) => char === '^').length;
  const steps: Step[] = [];
  for (let rest = text.slice(prefix.length); rest !== ''; ) {
    const match = STEP.exec(rest);
    if (!match || steps.length === STEPS_MAX) return null;
    steps.push(stepOf(match));
    rest = rest.slice(match[0].length);
  }
  const isWhole = prefix === '' ? steps.length > 0 : steps.length > 0 || prefix.startsWith('^');
  return isWhole && !text.endsWith('.') ? { text, from, steps } : null;
}

function stepOf(match: RegExpExecArray): Step {
  const [whole, , quoted, name, index, field, value] = match;
  const isList = /\]\.?$/.test(whole);
  return {
    name: quoted?.replaceAll("''", "'") ?? name?.trim() ?? null,
    pick:
      index !== undefined
        ? Number(index)
        : field !== undefined
          ? { field, text: value! }
          : isList || (quoted ?? name) === undefined
            ? 'all'
            : 'first',
  };
}

/** `packages[].name`, for comparing with the fields of a record: without indexes and filters. */
export const shapeOf = ({ steps }: MapPath): string =>
  steps.map(({ name, pick }) => `${name ?? '*'}${pick === 'first' || name === null ? '' : '[]'}`).join('.');
