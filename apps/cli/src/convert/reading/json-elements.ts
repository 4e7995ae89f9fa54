import { JSONParser } from '@streamparser/json';
import { AskedFor } from './asked-for.ts';
import { JsonCursor } from './json-cursor.ts';
import type { ReportFile } from './report-file.ts';
import { TextPosition } from './text-position.ts';
import { isAt, TokenTrail } from './token-trail.ts';
import { DEPTH_MAX, TOO_DEEP } from './too-deep.ts';
import { UnreadableReport } from './unreadable-report.ts';

/** A value found in a JSON document. */
export interface JsonElement {
  /** Names of members and places in arrays, from 0, from the outside in. */
  path: (string | number)[];
  value: unknown;
}

/** No record of any scanner comes near it; a broken bracket or quote must not gather the file in memory. */
const RECORD_CHARS_MAX = 64 * 1_048_576;

interface ElementBounds {
  /** Of a value that is asked for, and of any text; what is not asked for may be as long as it likes. */
  recordCharsMax?: number;
  /** `''` where several documents may stand one after another; otherwise more than one is an error. */
  separator?: '';
}

/**
 * Values of a JSON document that may be larger than memory, as they come.
 * @param paths such as `$.runs.*.results.*`; `$.runs.*.results[]` (beside others) is told, empty, when the list begins
 * @throws UnreadableReport where the file is no JSON, ends too early, is nested too deep or has a longer record
 */
export async function* jsonElements(
  file: ReportFile,
  paths: string[],
  reached?: (bytes: number) => void,
  { recordCharsMax = RECORD_CHARS_MAX, separator }: ElementBounds = {},
): AsyncGenerator<JsonElement> {
  let found: JsonElement[] = [];
  const asked = paths.filter((path) => !path.endsWith('[]'));
  const lists = patternsOf(paths.filter((path) => path.endsWith('[]')));
  const parser = new JSONParser({ paths: asked, keepStack: false, separator });
  parser.onValue = ({ key, value, stack }) => {
    const path = stack.slice(1).map((outer) => outer.key!);
    found.push({ path: key === undefined ? path : [...path, key], value });
  };
  const trail = new TokenTrail();
  const cursor = file.evidence && new JsonCursor(file.evidence);
  const askedFor = new AskedFor(patternsOf(asked));
  let keepsNothing = true;
  parser.onToken = (token) => {
    const event = trail.take(token);
    const { path } = trail;
    if (path.length > DEPTH_MAX) throw new UnreadableReport(file.name, `byte ${token.offset}`, TOO_DEEP);
    cursor?.take(event, path, token.value);
    if (event === 'array' && lists.some((list) => isAt(list, path, path.length - 1)))
      found.push({ path: path.slice(0, -1) as JsonElement['path'], value: [] });
    askedFor.take(event, path);
    keepsNothing ||= !askedFor.isOpen;
  };
  const end = new TextPosition();
  let chars = 0;
  let keptFrom = 0;
  for await (const text of file.text(reached)) {
    keepsNothing = false;
    step(() => parser.write(text));
    chars += text.length;
    end.pass(text);
    yield* found;
    found = [];
    if (keepsNothing) keptFrom = chars;
    else if (chars - keptFrom > recordCharsMax) {
      throw new UnreadableReport(file.name, `character ${keptFrom}`, 'a record is longer than 64 MB');
    }
  }
  if (!isWhole()) throw new UnreadableReport(file.name, `${end}`, 'ends in the middle of its JSON');

  function isWhole(): boolean {
    if (separator === undefined) return parser.isEnded;
    try {
      parser.end();
      return true;
    } catch {
      return false;
    }
  }

  function step(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      if (error instanceof UnreadableReport) throw error;
      // The parser's own words may quote the file.
      const position = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
      throw new UnreadableReport(file.name, position ? `byte ${position}` : null, 'is no valid JSON');
    }
  }
}

const patternsOf = (paths: string[]): string[][] =>
  paths.map((path) => path.replace(/\[\]$/, '').split('.').slice(1));

/** `runs[0].results[4]`. */
export const placeOf = (path: (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
