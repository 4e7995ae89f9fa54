import type { Row } from './mapping.ts';

/** Same rule as libs/domain, os-mapping.ts: case-insensitive match of the whole name, with `*` wildcards. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.trim().toLowerCase().split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  let at = first.length;
  if (!name.startsWith(first)) return false;
  for (const run of others) {
    const found = name.indexOf(run, at);
    if (found < 0) return false;
    at = found + run.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** The first row whose pattern matches, or else the first row whose asset type has this name. */
export function firstMatch(os: string, rows: readonly Row[]): Row | undefined {
  const name = os.trim().toLowerCase();
  return (
    rows.find(({ osPattern }) => matches(osPattern, name)) ??
    rows.find(({ assetType }) => assetType.toLowerCase() === name)
  );
}
