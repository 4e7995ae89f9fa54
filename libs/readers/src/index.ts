export type { Fail } from './fail.ts';
export { jsonOrNull } from './json-or-null.ts';
export { LineTooLongError, linesOf } from './lines-of.ts';
export { oneLine } from './one-line.ts';
export { type CsvRow, readCsv } from './read-csv.ts';
export { readGzip } from './read-gzip.ts';
export { DEPTH_MAX, type JsonElement, type JsonOptions, readJson, TOO_DEEP } from './read-json.ts';
export { type TokenEvent, TokenTrail, type TrailPath } from './token-trail.ts';
