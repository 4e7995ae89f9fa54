import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/observing.md', import.meta.url), 'utf8');

/** A metric as docs/observing.md describes it. */
export interface DescribedMetric {
  name: string;
  type: string;
  labels: string[];
}

/** Those of the started service, in the order of the page. */
export const describedMetrics = (): DescribedMetric[] =>
  rows(/^\| `(\w+)` \| (counter|gauge|histogram)[^|]* \|([^|]*)\| .* \|$/gm).map(
    ([, name, type, labels]) => ({ name: name!, type: type!, labels: labelsOf(labels!) }),
  );

/** Those of a command's `--metrics-file`, or of all commands. */
export const commandMetrics = (command = '(?:backup|verify)'): string[] =>
  rows(new RegExp(`^\\| \`(posture_${command}_\\w+)\` \\|`, 'gm')).map(([, name]) => name!);

const rows = (row: RegExp): RegExpExecArray[] => [...page.matchAll(row)];

/** `a`, `b` (in words), `c`: `its values`, `more of them`. */
const labelsOf = (cell: string): string[] =>
  [...cell.replace(/: .*/, '').matchAll(/`(\w+)`/g)].map(([, label]) => label!);

/** Names that series of a metric have in queries. */
const seriesNames = ({ name, type }: DescribedMetric): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];

/** Everything that a query may name: metrics of the service and the command line, and Prometheus' own. */
export const queryable = (): Set<string> =>
  new Set([...describedMetrics().flatMap(seriesNames), ...commandMetrics(), 'up']);

const KEYWORDS = new Set(['and', 'or', 'unless', 'by', 'on', 'without', 'offset', 'bool']);

/** Names of metrics in a query: words that are no function, keyword, label or text. */
export function metricsOf(query: string): string[] {
  const bare = query
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const names = [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/gi)].map(([name]) => name);
  return names.filter((name) => !KEYWORDS.has(name));
}
