import { open } from 'node:fs/promises';
import { jsonOrNull } from '#libs/readers';
import { usageError } from '../cli-error.ts';

/** What the service answers at most to the command line. */
const BYTES_MAX = 16 * 1024 * 1024;
const PAGE_BEGINNING = '<!doctype html>\n<!-- posture-report /api/';
const JSON_BEGINNING = /^\{\s*"request"\s*:/;
const BEGINNING_BYTES = 100;
const PAGE_REQUEST = /<!-- posture-report (\/api\/[!-~]+) -->/;
/** No other path: the file is not trusted, and is checked with the rights of the caller. */
const PATHS = ['/api/v3/reports/board', '/api/v3/reports/technical'] as const;

/** A saved report of the service. */
export interface ServiceReport {
  format: 'html' | 'json';
  path: (typeof PATHS)[number];
  query: Record<string, string>;
  text: string;
}

/**
 * Null if the file is not one of these: it may be a report of `posture report`.
 * @throws CliError exit 2 if it is one, but too large or without its request
 * @throws Error of the file system if it cannot be read
 */
export async function readServiceReport(path: string): Promise<ServiceReport | null> {
  const text = await readText(path);
  if (text.startsWith(PAGE_BEGINNING)) {
    return { format: 'html', text, ...requestIn(path, PAGE_REQUEST.exec(text)?.[1]) };
  }
  const json = jsonOrNull(text);
  if (typeof json !== 'object' || json === null || !('request' in json)) return null;
  return { format: 'json', text, ...requestIn(path, json.request) };
}

/** Empty if the file is larger than a report of the service, and is not one. */
async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= BYTES_MAX) return await file.readFile('utf8');
    const { buffer } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    const beginning = buffer.toString('utf8');
    if (!beginning.startsWith(PAGE_BEGINNING) && !JSON_BEGINNING.test(beginning)) return '';
    throw usageError(`${path} has ${size} bytes: a report of the service has at most ${BYTES_MAX}`);
  } finally {
    await file.close();
  }
}

function requestIn(file: string, request: unknown): Pick<ServiceReport, 'path' | 'query'> {
  const url =
    typeof request === 'string' && URL.canParse(request, 'http://localhost')
      ? new URL(request, 'http://localhost')
      : null;
  const path = PATHS.find((one) => one === url?.pathname);
  if (!url || !path || !url.searchParams.has('asOf')) {
    throw usageError(`${file} is damaged in its beginning: the request that returns the report is invalid`);
  }
  return { path, query: Object.fromEntries(url.searchParams) };
}
