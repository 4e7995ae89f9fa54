import { JSONParser } from '@streamparser/json';
import type { ReportFile } from './report-file.ts';
import { UnreadableReport } from './unreadable-report.ts';

/** A value found in a JSON document. */
export interface JsonElement {
  /** Names of members and places in arrays, from 0, from the outside in. */
  path: (string | number)[];
  value: unknown;
}

/** No record of any scanner comes near it; a broken bracket must not gather the file in memory. */
const RECORD_CHARS_MAX = 64 * 1_048_576;

/**
 * Values of a JSON document that may be larger than memory, as they come.
 * @param paths such as `$.runs.*.results.*`
 * @throws UnreadableReport where the file is no JSON or ends too early
 */
export async function* jsonElements(
  file: ReportFile,
  paths: string[],
  reached?: (bytes: number) => void,
): AsyncGenerator<JsonElement> {
  let found: JsonElement[] = [];
  const parser = new JSONParser({ paths, keepStack: false });
  parser.onValue = ({ key, value, stack }) => {
    const path = stack.slice(1).map((outer) => outer.key!);
    found.push({ path: key === undefined ? path : [...path, key], value });
  };
  let chars = 0;
  let foundAt = 0;
  for await (const text of file.text(reached)) {
    step(() => parser.write(text));
    chars += text.length;
    if (found.length > 0) {
      yield* found;
      found = [];
      foundAt = chars;
    } else if (chars - foundAt > RECORD_CHARS_MAX) {
      throw new UnreadableReport(file.name, `character ${foundAt}`, 'a record is longer than 64 MB');
    }
  }
  if (!parser.isEnded) throw new UnreadableReport(file.name, null, 'ends in the middle of its JSON');

  function step(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      // The parser's own words may quote the file.
      const position = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
      throw new UnreadableReport(file.name, position ? `byte ${position}` : null, 'is no valid JSON');
    }
  }
}

/** `runs[0].results[4]`. */
export const placeOf = (path: (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
