import type { Row } from './mapping.ts';

/** The service's own rule (libs/domain, os-mapping.ts): literal runs between `*`, in any case, over the whole name. */
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

/** The row that types an operating system, or else the first of the asset type that goes by that name. */
export function firstMatch(os: string, rows: readonly Row[]): Row | undefined {
  const name = os.trim().toLowerCase();
  return (
    rows.find(({ osPattern }) => matches(osPattern, name)) ??
    rows.find(({ assetType }) => assetType.toLowerCase() === name)
  );
}
