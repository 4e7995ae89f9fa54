import { encodeIntake } from '#libs/contracts';
import { type CatalogueImported, ORGANIZATION_KEY } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Imports of catalogues that can count from an earlier instant on: schema 24. */
export function effectiveImports(): LogRecord[][] {
  return [imports().map(recordOf)];
}

const recordOf = (payload: CatalogueImported, i: number): LogRecord => {
  const id = `d1000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const one = event(payload, T0 + i * DAY_MS, { kind: 'system' }, { id, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

const imported = (
  n: number,
  catalogue: CatalogueImported['catalogue'],
  source: string,
  effectiveFrom: number | null,
): CatalogueImported => ({
  type: 'CatalogueImported',
  importId: `e1000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  catalogue,
  source,
  contentHash: String(n).repeat(64),
  rows: n * 100,
  effectiveFrom,
});

const imports = () => [
  imported(1, 'attack', 'enterprise-attack.json', null),
  imported(2, 'ctid', 'kev-07.28.2025_attack-16.1-enterprise.json', null),
  imported(3, 'epss', 'epss_scores-2025-05-31.csv.gz', T0 - 214 * DAY_MS),
];
