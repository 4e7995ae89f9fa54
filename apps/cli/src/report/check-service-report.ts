import type { PostureClient } from '#client';
import { failure } from '../cli-error.ts';
import { reject } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { lineDifference, valueDifference } from './line-difference.ts';
import type { ServiceReport } from './service-report.ts';

const ACCEPT = { html: 'text/html', json: 'application/json' } as const;

/**
 * Requests a report of the service again, as of its time, and compares everything.
 * @throws CliError exit 1 with the first difference, or if the service rejects the request or is unreachable
 */
export async function checkServiceReport(
  report: ServiceReport,
  client: PostureClient,
  { json }: { json: boolean },
  terminal: Terminal,
): Promise<void> {
  const { format, path, query } = report;
  // The service validates the parameters.
  const options = {
    params: { query: query as object },
    headers: { accept: ACCEPT[format] },
    parseAs: 'text',
  };
  const answer: unknown = await client.get(path, options as object).catch(reject);
  const difference =
    format === 'html'
      ? pageDifference(report.text, answer as string)
      : jsonDifference(report.text, answer as string);
  if (difference) throw failure('the report does not match the service', [difference]);
  const asOf = query.asOf!;
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, matches: true, asOf })}\n`
      : `matches    the service, as of ${asOf}\n`,
  );
}

/** Undefined if both say the same, in whatever layout. Of a name that an object has twice, JSON.parse keeps the last. */
function jsonDifference(report: string, answer: string): string | undefined {
  const value: unknown = JSON.parse(report);
  if (membersIn(report) !== membersIn(JSON.stringify(value))) return 'an object has a name twice';
  return valueDifference(value, JSON.parse(answer), 'service');
}

/** Names with their values in a text of JSON: each has a colon outside of strings. */
const membersIn = (json: string): number =>
  [...json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[^":]+|:/gy)].filter(([token]) => token === ':').length;

/** Undefined if both are the same. */
function pageDifference(report: string, answer: string): string | undefined {
  if (report === answer) return undefined;
  const [given, derived] = [linesOf(report), linesOf(answer)];
  const index = derived.findIndex((line, i) => line !== given[i]);
  const line = index < 0 ? derived.length : index;
  const bytes = (lines: string[]) => (lines[line] === undefined ? undefined : Buffer.from(lines[line]));
  return `line ${line + 1}: ${lineDifference(bytes(given), bytes(derived), 'html', 'service')}`;
}

/** With their ends. */
const linesOf = (text: string): string[] => text.split(/(?<=\n)/);
