import type { AssetTyping, OsMapping } from '../events.ts';

/** Whether a text matches a pattern, which is the `*` between literal runs; linear in the text for each run. */
function matchesRuns(runs: readonly string[], text: string): boolean {
  const first = runs[0]!;
  if (runs.length === 1) return text === first;
  const last = runs.at(-1)!;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const run of runs.slice(1, -1)) {
    const found = text.indexOf(run, at);
    if (found < 0) return false;
    at = found + run.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Asset typing by operating system, or by the name of an asset type itself; null if the mapping knows neither. */
export function typingByOs(os: string, mapping: OsMapping): AssetTyping | null {
  const known = compiledOf(mapping);
  const name = os.trim().toLowerCase();
  const cached = known.answers.get(name);
  if (cached !== undefined) return cached;
  const row = known.rows.find(({ runs }) => matchesRuns(runs, name)) ?? known.byAssetType.get(name);
  const typing = row?.typing ?? null;
  if (known.answers.size >= ANSWERS_MAX) known.answers.clear();
  known.answers.set(name, typing);
  return typing;
}

/** Whether a text names an asset type of the mapping rather than an operating system. */
export const isAssetType = (text: string, mapping: OsMapping): boolean =>
  compiledOf(mapping).byAssetType.has(text.trim().toLowerCase());

export const typingOf = ({ assetType, attackSurface, supports }: OsMapping['default']): AssetTyping => ({
  type: assetType,
  attackSurface,
  supports,
});

interface Row {
  runs: string[];
  typing: AssetTyping;
}

interface CompiledMapping {
  rows: Row[];
  byAssetType: Map<string, Row>;
  /** An estate has few operating systems and many signals. */
  answers: Map<string, AssetTyping | null>;
}

const ANSWERS_MAX = 1_000;
const compiled = new WeakMap<OsMapping, CompiledMapping>();

function compiledOf(mapping: OsMapping): CompiledMapping {
  const known = compiled.get(mapping) ?? compile(mapping);
  compiled.set(mapping, known);
  return known;
}

function compile({ mappings }: OsMapping): CompiledMapping {
  const rows = mappings.map((row) => ({
    runs: row.osPattern.trim().toLowerCase().split('*'),
    typing: typingOf(row),
  }));
  // The first row of an asset type stands for it.
  const byAssetType = new Map(rows.toReversed().map((row) => [row.typing.type.toLowerCase(), row]));
  return { rows, byAssetType, answers: new Map() };
}
