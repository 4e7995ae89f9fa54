import type { Severity } from '../events.ts';
import { cvesOf, severityOf, techniquesOf } from '../fold/finding-state.ts';
import type { Asset, Finding, FindingSeen, FindingState } from '../state.ts';
import type { Mappings } from './valid-mappings.ts';

/** What the model asks of an asset. */
export type AssetFacts = Pick<
  Asset,
  'id' | 'criticality' | 'confidentialityRequirement' | 'integrityRequirement' | 'availabilityRequirement'
>;

/** What the model asks of a finding; a row of the findings table has all of it. */
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

/** The model's view of a finding as the fold has it: severity of the worst failing instance, all of the mappings. */
export const findingFactsOf = (
  finding: Finding,
  { expiresAt, retainUntil }: Pick<FindingSeen, 'expiresAt' | 'retainUntil'>,
): FindingFacts => ({
  id: finding.id,
  name: finding.name,
  state: finding.state,
  severity: severityOf(finding),
  cves: cvesOf(finding),
  techniques: techniquesOf(finding),
  activeUntil: Math.min(expiresAt, retainUntil),
});

/** Neither retired nor past its end at the instant (D14, D15, D22). */
export const isActive = ({ state, activeUntil }: FindingFacts, at: number): boolean =>
  state !== 'Retired' && activeUntil > at;
