import type { ScoringCatalogue } from '../scoring-catalogue.ts';
import { type AssetFacts, type FindingFacts, isActive } from '../scoring-facts.ts';
import type { CauseKind, Moment } from './moment.ts';

/** Why an asset changes a score. The console compares these sentences (its `cause-words.ts`). */
export const ASSET_ADDED = 'the asset is new here';
export const ASSET_REMOVED = 'the asset is not here any more';

/** Kind of a finding's change: an acceptance begun or ended, or anything else. */
export const findingKind = (from: FindingFacts | undefined, to: FindingFacts | undefined): CauseKind =>
  (from?.state === 'AcceptedFailed') === (to?.state === 'AcceptedFailed') ? 'finding' : 'acceptance';

export function findingWords(
  from: FindingFacts | undefined,
  to: FindingFacts | undefined,
  fromAt: number,
  toAt: number,
): string {
  const before = stateWords(from, fromAt);
  const after = stateWords(to, toAt);
  return before === after
    ? `${after} as before, with another severity or other mappings`
    : `${before} → ${after}`;
}

function stateWords(finding: FindingFacts | undefined, at: number): string {
  if (!finding) return 'not there';
  return isActive(finding, at) ? finding.state : 'Retired';
}

/** @param more further facts: name, before, after */
export function assetWords(
  from: AssetFacts,
  to: AssetFacts,
  more: readonly (readonly [string, string, string])[] = [],
): string {
  const changes = [
    ['criticality', from.criticality, to.criticality],
    ['confidentiality requirement', from.confidentialityRequirement, to.confidentialityRequirement],
    ['integrity requirement', from.integrityRequirement, to.integrityRequirement],
    ['availability requirement', from.availabilityRequirement, to.availabilityRequirement],
    ...more,
  ] as const;
  return changes
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name} ${before ?? 'not given'} → ${after ?? 'not given'}`)
    .join(', ');
}

/** The data of the catalogues about a CVE or a technique before and after. */
export const catalogueWords = (id: string, from: Moment, to: Moment): string =>
  `${known(id, from.catalogue)} → ${known(id, to.catalogue)}`;

function known(id: string, { epssOf, kevOf, cveStateOf, techniqueOf }: ScoringCatalogue): string {
  const epss = epssOf(id);
  const kev = kevOf(id);
  const state = cveStateOf(id);
  const technique = techniqueOf(id);
  const said = [
    ...(state === undefined ? [] : [`state ${state}`]),
    ...(epss ? [`EPSS ${epss.probability} of ${epss.date}`] : []),
    ...(kev ? [`in KEV since ${kev.dateAdded}`] : []),
    ...(technique ? [`technique ${technique.revoked ? 'revoked' : 'valid'}`] : []),
  ];
  return said.join(', ') || 'unknown';
}
