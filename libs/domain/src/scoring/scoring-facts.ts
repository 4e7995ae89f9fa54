import type { Severity } from '../events.ts';
import { cvesOf, severityOf, techniquesOf } from '../fold/finding-state.ts';
import type { Asset, Finding, FindingSeen, FindingState } from '../state.ts';
import type { Mappings } from './valid-mappings.ts';

/** The facts of an asset that the model needs. */
export type AssetFacts = Pick<
  Asset,
  'id' | 'criticality' | 'confidentialityRequirement' | 'integrityRequirement' | 'availabilityRequirement'
>;

/** The facts of a finding that the model needs; a row of the findings table has all of them. */
export interface FindingFacts extends Mappings {
  id: string;
  name: string;
  state: FindingState;
  severity: Pick<Severity, 'value' | 'version' | 'vector'>;
  /** Epoch ms from which on the finding is no longer active: the earlier of its expiry and its retention. */
  activeUntil: number;
}

/** An asset and all of its findings: everything that its score depends on besides catalogues and the instant. */
export interface ScoringSubject {
  asset: AssetFacts;
  findings: readonly FindingFacts[];
}

/** When a finding ends, epoch ms. */
export type FindingEnds = Pick<FindingSeen, 'expiresAt' | 'retainUntil'>;

/** Of findings that were active at an instant if no later one is asked for. */
export const NEVER_ENDS: FindingEnds = {
  expiresAt: Number.POSITIVE_INFINITY,
  retainUntil: Number.POSITIVE_INFINITY,
};

/** Epoch ms of the end of a finding. */
export const activeUntilOf = ({ expiresAt, retainUntil }: FindingEnds): number =>
  Math.min(expiresAt, retainUntil);

/** The model's view of a finding as the fold has it: severity of the worst failing instance, all of the mappings. */
export const findingFactsOf = (finding: Finding, seen: FindingEnds): FindingFacts => ({
  id: finding.id,
  name: finding.name,
  state: finding.state,
  severity: severityOf(finding),
  cves: cvesOf(finding),
  techniques: techniquesOf(finding),
  activeUntil: activeUntilOf(seen),
});

/** Neither retired nor past its end at the instant. */
export const isActive = ({ state, activeUntil }: FindingFacts, at: number): boolean =>
  state !== 'Retired' && activeUntil > at;
