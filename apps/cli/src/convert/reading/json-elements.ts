import { JSONParser } from '@streamparser/json';
import { AskedFor } from './asked-for.ts';
import type { ReportFile } from './report-file.ts';
import { TextPosition } from './text-position.ts';
import { UnreadableReport } from './unreadable-report.ts';

/** A value found in a JSON document. */
export interface JsonElement {
  /** Names of members and places in arrays, from 0, from the outside in. */
  path: (string | number)[];
  value: unknown;
}

/** No record of any scanner comes near it; a broken bracket or quote must not gather the file in memory. */
const RECORD_CHARS_MAX = 64 * 1_048_576;

/**
 * Values of a JSON document that may be larger than memory, as they come.
 * @param paths such as `$.runs.*.results.*`
 * @param recordCharsMax of such a value, and of any text; what is not asked for may be as long as it likes
 * @throws UnreadableReport where the file is no JSON, ends too early or has a longer record
 */
export async function* jsonElements(
  file: ReportFile,
  paths: string[],
  reached?: (bytes: number) => void,
  recordCharsMax = RECORD_CHARS_MAX,
): AsyncGenerator<JsonElement> {
  let found: JsonElement[] = [];
  const parser = new JSONParser({ paths, keepStack: false });
  parser.onValue = ({ key, value, stack }) => {
    const path = stack.slice(1).map((outer) => outer.key!);
    found.push({ path: key === undefined ? path : [...path, key], value });
  };
  const askedFor = new AskedFor(paths);
  let keepsNothing = true;
  parser.onToken = (token) => {
    askedFor.take(token);
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
  if (!parser.isEnded) throw new UnreadableReport(file.name, `${end}`, 'ends in the middle of its JSON');

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
