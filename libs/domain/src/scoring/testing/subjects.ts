import type { ScoringCatalogue } from '../scoring-catalogue.ts';
import type { AssetFacts, FindingFacts, ScoringSubject } from '../scoring-facts.ts';

/** Assets, findings and catalogues for tests, with everything that a test does not name left out or plain. */

export const AT = Date.parse('2026-05-31T12:00:00.000Z');
const DAY_MS = 86_400_000;

export const assetFacts = (given: Partial<AssetFacts> = {}): AssetFacts => ({
  id: 'asset-1',
  criticality: 'critical',
  confidentialityRequirement: null,
  integrityRequirement: null,
  availabilityRequirement: null,
  ...given,
});

/** A failed finding of severity 8. */
export const findingFacts = (id: string, given: Partial<FindingFacts> = {}): FindingFacts => ({
  id,
  name: `Finding ${id}`,
  state: 'Failed',
  severity: { value: 8, version: null, vector: null },
  cves: [],
  techniques: [],
  activeUntil: AT + DAY_MS,
  ...given,
});

export const subject = (findings: FindingFacts[], asset: Partial<AssetFacts> = {}): ScoringSubject => ({
  asset: assetFacts(asset),
  findings,
});

/** What catalogues know, as plain objects. */
export interface KnownCatalogue {
  techniques?: Record<string, { revoked?: boolean }>;
  states?: Record<string, string>;
  epss?: Record<string, number>;
  kev?: string[];
}

/** Catalogues of a day; T1059 exists unless techniques are given. */
export const catalogueOf = ({
  techniques = { T1059: {} },
  states = {},
  epss = {},
  kev = [],
}: KnownCatalogue = {}): ScoringCatalogue => ({
  techniqueOf: (id) => own(techniques, id),
  cveStateOf: (id) => own(states, id),
  epssOf: (id) => {
    const probability = own(epss, id);
    return probability === undefined ? undefined : { probability, date: '2026-05-30' };
  },
  kevOf: (id) => (kev.includes(id) ? { dateAdded: '2026-01-15' } : undefined),
});

const own = <T>(record: Record<string, T>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined;
