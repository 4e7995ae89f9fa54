import { CSV_COLUMNS } from './csv-report.ts';
import type { ReportFormatName } from './report-formats.ts';

const VALUE_CHARACTERS_MAX = 200;
const CONTEXT_CHARACTERS = 40;

/** From what a report is derived again. */
type Origin = 'log' | 'service';

/**
 * The first difference between two different lines of a report, with both values.
 * @param report line of the report; undefined if it has ended
 * @param derived the expected line; undefined if there should be none
 */
export function lineDifference(
  report: Buffer | undefined,
  derived: Buffer | undefined,
  format: ReportFormatName,
  origin: Origin = 'log',
): string {
  if (!report) return `the report ends, but the ${origin} continues with ${shown(derived!.toString('utf8'))}`;
  if (!derived) return `the ${origin} has no such line, but the report has ${shown(report.toString('utf8'))}`;
  const lines: [string, string] = [report.toString('utf8'), derived.toString('utf8')];
  const field = format === 'json' ? jsonField(lines) : format === 'csv' ? csvCell(lines) : undefined;
  return field ?? excerpts(report, derived, origin);
}

/** The first field of two lines of JSON that has another value. */
function jsonField([report, derived]: [string, string]): string | undefined {
  const [a, b] = [parsed(report), parsed(derived)];
  const found = a !== undefined && b !== undefined ? firstField(a, b, '') : undefined;
  if (!found || found[0] === '') return undefined;
  return `${nameOf(b)}${found[0]}: ${comparison(text(found[1]), text(found[2]), 'log')}`;
}

/** The first difference between two values of JSON, with its path; undefined if there is none. */
export function valueDifference(report: unknown, derived: unknown, origin: Origin): string | undefined {
  const found = firstField(report, derived, '');
  return found && `${found[0] || 'the document'}: ${comparison(text(found[1]), text(found[2]), origin)}`;
}

/** A line of the JSON form by itself: an item of a list, or a property. */
function parsed(line: string): unknown {
  const item = line.trim().replace(/^,|,$/g, '');
  for (const candidate of [item, `{${item}}`]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Not of this kind.
    }
  }
  return undefined;
}

function firstField(
  a: unknown,
  b: unknown,
  path: string,
): [path: string, a: unknown, b: unknown] | undefined {
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b))
    return JSON.stringify(a) === JSON.stringify(b) ? undefined : [path, a, b];
  for (const name of new Set([...Object.keys(b), ...Object.keys(a)])) {
    const step = Array.isArray(b) ? `[${name}]` : `${path === '' ? '' : '.'}${name}`;
    const found = firstField(
      (a as Record<string, unknown>)[name],
      (b as Record<string, unknown>)[name],
      path + step,
    );
    if (found) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The asset of the line, if it has one. */
const nameOf = (item: unknown): string => {
  const { id, name } = item as { id?: unknown; name?: unknown };
  return id === undefined || name === undefined ? '' : `asset ${text(name)} (${id}), `;
};

/** The cell with the first difference: a row over several lines has no columns to name. */
function csvCell([report, derived]: [string, string]): string | undefined {
  const [a, b] = [cellsOf(report), cellsOf(derived)];
  if (a?.length !== CSV_COLUMNS.length || b?.length !== CSV_COLUMNS.length) return undefined;
  const column = b.findIndex((cell, i) => cell !== a[i]);
  if (column < 0) return undefined;
  return `${CSV_COLUMNS[column]}: ${comparison(shown(a[column]!), shown(b[column]!), 'log')}`;
}

/** The cells of one line, unchanged; undefined if a quoted one continues after it. */
function cellsOf(line: string): string[] | undefined {
  const row = line.replace(/\r?\n$/, '');
  const cells = row.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",]*)(?=,|$)/g);
  return cells?.join('') === row ? cells.map((cell) => cell.replace(/^,/, '')) : undefined;
}

function excerpts(report: Buffer, derived: Buffer, origin: Origin): string {
  let at = 0;
  while (at < report.length && report[at] === derived[at]) at += 1;
  const from = Math.max(0, at - CONTEXT_CHARACTERS);
  const excerpt = (line: Buffer) => shown(line.subarray(from, from + VALUE_CHARACTERS_MAX).toString('utf8'));
  return `character ${at + 1}: ${comparison(excerpt(report), excerpt(derived), origin)}`;
}

const comparison = (report: string, derived: string, origin: Origin): string =>
  `the report says ${report}, the ${origin} ${derived}`;

const text = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, VALUE_CHARACTERS_MAX);

const shown = (value: string): string => JSON.stringify(value.slice(0, VALUE_CHARACTERS_MAX));
