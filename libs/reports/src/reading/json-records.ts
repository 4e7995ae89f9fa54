import { TOO_DEEP } from '#libs/readers';
import { JsonCursor } from './json-cursor.ts';
import { jsonElements, placeOf } from './json-elements.ts';
import type { ReportFile } from './report-file.ts';
import { isTooDeep } from './too-deep.ts';
import { UnreadableReport } from './unreadable-report.ts';

export interface JsonRecord {
  /** `line 12`, `[3]` of an array, or `record 2` of several over more than one line. */
  place: string;
  value: unknown;
}

const LINE_CHARS_MAX = 64 * 1_048_576;

/**
 * Records, one to a line (JSON Lines), over several lines each, or as the elements of one array: scanners
 * write all of these under one name.
 * @throws UnreadableReport if one is no JSON or nested too deep
 */
export async function* jsonRecords(
  file: ReportFile,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<JsonRecord> {
  if (file.head.trimStart().startsWith('[')) {
    for await (const { path, value } of jsonElements(file, ['$.*'], onProgress)) {
      yield { place: placeOf(path), value };
    }
  } else if (isOneToALine(file)) yield* recordsOfLines(file, onProgress);
  else {
    let number = 0;
    for await (const { value } of jsonElements(file, ['$'], onProgress, { separator: '' })) {
      number += 1;
      yield { place: `record ${number}`, value };
    }
  }
}

/** As the first line shows; one that is longer than the beginning is a record. */
function isOneToALine({ head }: ReportFile): boolean {
  const [first, ...more] = head.trimStart().split('\n', 2);
  return more.length === 0 || isJson(first!);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* recordsOfLines(
  file: ReportFile,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<JsonRecord> {
  const cursor = file.evidence && new JsonCursor(file.evidence);
  let line = 0;
  for await (const text of lines(file, onProgress)) {
    line += 1;
    if (text.trim() === '') continue;
    const value = parse(file, text, line);
    cursor?.show(value);
    yield { place: `line ${line}`, value };
  }
}

async function* lines(file: ReportFile, onProgress?: (bytes: number) => void): AsyncGenerator<string> {
  let rest = '';
  for await (const text of file.text(onProgress)) {
    const parts = text.split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop()!;
    yield* parts;
    if (rest.length > LINE_CHARS_MAX)
      throw new UnreadableReport(file.name, null, 'a line is longer than 64 MB');
  }
  if (rest !== '') yield rest;
}

function parse(file: ReportFile, text: string, line: number): unknown {
  if (isTooDeep(text)) throw new UnreadableReport(file.name, `line ${line}`, TOO_DEEP);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableReport(file.name, `line ${line}`, 'is not valid JSON');
  }
}
