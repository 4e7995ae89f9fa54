import { JSONParser } from '@streamparser/json';
import type { Fail } from './fail.ts';
import { RequestedPaths } from './requested-paths.ts';
import { StreamPosition } from './stream-position.ts';
import { isAt, type TokenEvent, TokenTrail, type TrailPath } from './token-trail.ts';

/** A value found in a JSON document. */
export interface JsonElement {
  /** Names of members and places in arrays, from 0, from the outside in. */
  path: (string | number)[];
  value: unknown;
}

/** Objects and lists, or elements, within one another. Files have about a dozen; deeper nesting takes increasingly long to read. */
export const DEPTH_MAX = 1_000;
export const TOO_DEEP = 'is nested deeper than 1,000 levels';

/** Records are much smaller; a missing bracket or quote must not read the whole file into memory. */
const RECORD_LENGTH_MAX = 64 * 1_048_576;

export interface JsonOptions {
  /** Of a requested value, and of any text; other values have no limit. */
  recordLengthMax?: number;
  /** `''` if several documents may follow one another; otherwise more than one is an error. */
  separator?: '';
  /** Receives each token. @param path including the value that the event begins, without the one that it ends */
  onToken?: (event: TokenEvent, path: TrailPath, text: unknown) => void;
  /** The problem of a document that ends too early. */
  truncated?: string;
}

/**
 * Values of a JSON document that may be larger than memory, as they come.
 * @param paths such as `$.runs.*.results.*`; `$.runs.*.results[]` (in addition to others) is reported, empty, when the list begins
 * @throws the error of `fail` if it is not JSON, ends too early, is nested too deep or has a longer record
 */
export async function* readJson(
  chunks: AsyncIterable<Buffer | string>,
  fail: Fail,
  paths: string[],
  {
    recordLengthMax = RECORD_LENGTH_MAX,
    separator,
    onToken,
    truncated = 'ends within its JSON',
  }: JsonOptions = {},
): AsyncGenerator<JsonElement> {
  let found: JsonElement[] = [];
  const requested = paths.filter((path) => !path.endsWith('[]'));
  const lists = patternsOf(paths.filter((path) => path.endsWith('[]')));
  const parser = new JSONParser({ paths: requested, keepStack: false, separator });
  parser.onValue = ({ key, value, stack }) => {
    const path = stack.slice(1).map((outer) => outer.key!);
    found.push({ path: key === undefined ? path : [...path, key], value });
  };
  const trail = new TokenTrail();
  const requestedPaths = new RequestedPaths(patternsOf(requested));
  let keepsNothing = true;
  let tooDeep: Error | undefined;
  parser.onToken = (token) => {
    const event = trail.take(token);
    const { path } = trail;
    if (path.length > DEPTH_MAX) {
      tooDeep = fail(`byte ${token.offset}`, TOO_DEEP);
      throw tooDeep;
    }
    onToken?.(event, path, token.value);
    if (event === 'array' && lists.some((list) => isAt(list, path, path.length - 1)))
      found.push({ path: path.slice(0, -1) as JsonElement['path'], value: [] });
    requestedPaths.take(event, path);
    keepsNothing ||= !requestedPaths.isOpen;
  };
  const position = new StreamPosition();
  let keptFrom = 0;
  for await (const chunk of chunks) {
    keepsNothing = false;
    parse(chunk);
    position.pass(chunk);
    yield* found;
    found = [];
    if (keepsNothing) keptFrom = position.length;
    else if (position.length - keptFrom > recordLengthMax) {
      throw fail(`${position.unit} ${keptFrom}`, 'a record is longer than 64 MB');
    }
  }
  if (!isWhole()) throw fail(`${position}`, truncated);

  function isWhole(): boolean {
    if (separator === undefined) return parser.isEnded;
    try {
      parser.end();
      return true;
    } catch {
      return false;
    }
  }

  function parse(chunk: Buffer | string): void {
    try {
      parser.write(chunk);
    } catch (error) {
      // The parser's own words may quote the file.
      const at = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
      const after = typeof chunk === 'string' ? null : `after ${position}`;
      throw tooDeep ?? fail(at ? `byte ${at}` : after, 'is not valid JSON');
    }
  }
}

const patternsOf = (paths: string[]): string[][] =>
  paths.map((path) => path.replace(/\[\]$/, '').split('.').slice(1));
