import { type JsonElement, type JsonOptions, readJson } from '#libs/readers';
import { JsonCursor } from './json-cursor.ts';
import type { ReportFile } from './report-file.ts';
import { failOf } from './unreadable-report.ts';

/**
 * Values of a JSON document that may be larger than memory, as they come (`readJson`).
 * @throws UnreadableReport if the file is not JSON, ends too early, is nested too deep or has a longer record
 */
export function jsonElements(
  { name, text, evidence }: ReportFile,
  paths: string[],
  onProgress?: (bytes: number) => void,
  options: Pick<JsonOptions, 'recordLengthMax' | 'separator'> = {},
): AsyncGenerator<JsonElement> {
  const cursor = evidence && new JsonCursor(evidence);
  return readJson(text(onProgress), failOf(name), paths, {
    ...options,
    ...(cursor && { onToken: (event, path, token) => cursor.take(event, path, token) }),
  });
}

/** `runs[0].results[4]`. */
export const placeOf = (path: (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
