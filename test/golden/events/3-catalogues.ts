import { encodeIntake } from '#libs/contracts';
import { type CatalogueImported, ORGANIZATION_KEY } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Imports of catalogues: schema 17. */
export function catalogueImports(): LogRecord[][] {
  return [imports().map(recordOf)];
}

const recordOf = (payload: CatalogueImported, i: number): LogRecord => {
  const id = `d0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const one = event(payload, T0 + i * DAY_MS, { kind: 'system' }, { id, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

const imported = (
  n: number,
  catalogue: CatalogueImported['catalogue'],
  source: string,
  rows: number,
): CatalogueImported => ({
  type: 'CatalogueImported',
  importId: `e0000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  catalogue,
  source,
  contentHash: String(n).repeat(64),
  rows,
});

const imports = () => [
  imported(1, 'cve', 'cvelistV5-main.zip', 300_000),
  imported(2, 'epss', 'epss_scores-2026-05-31.csv.gz', 280_000),
  imported(3, 'kev', 'known_exploited_vulnerabilities.json', 1_400),
  imported(4, 'kev', 'known_exploited_vulnerabilities.json', 1_400),
];
