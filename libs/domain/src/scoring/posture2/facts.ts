import type { FindingType } from '../../events.ts';
import type { KevEntry, ScoringCatalogue } from '../scoring-catalogue.ts';
import type { AssetFacts, FindingFacts } from '../scoring-facts.ts';
import type { Mappings } from '../valid-mappings.ts';

/** What posture-2 requires of an asset. */
export interface ThreatenedAsset extends AssetFacts {
  attackSurface: string;
  ipAddresses: readonly string[];
  /** The inventory of an EDR platform contains the host. Never because of a detection (docs/scoring.md). */
  isEdrManaged: boolean;
}

export type DetectionState = 'unreviewed' | 'confirmed' | 'resolved' | 'ignored';

/** A failing, counted instance of a finding of type `edr`. */
export interface DetectionFacts {
  state: DetectionState;
  /** Epoch ms; null for an open detection, and if the instant is unknown. */
  closedAt: number | null;
}

export type Verdict = 'passed' | 'failed';

/** What a failing, counted instance of a finding states. */
export interface FailureFacts extends Mappings {
  severity: FindingFacts['severity'];
}

/** What posture-2 requires of a finding. Its own mappings are those of all instances, passing ones too. */
export interface AssessedFinding extends FindingFacts {
  type: FindingType;
  /** Different ones only; those of all instances if none fails. */
  failures: readonly FailureFacts[];
  /** The last word on it, kept when it is retired, accepted or not assessed any more; null if there was none. */
  lastVerdict: Verdict | null;
  /** Its failing period has not ended (R-SLA-1). */
  isPeriodOpen: boolean;
  /** Of a finding of type `edr`; others have none. */
  detections: readonly DetectionFacts[];
}

/** An asset and all of its findings with a mapping, the retired ones too: a retired control can still be a pass. */
export interface ThreatenedSubject {
  asset: ThreatenedAsset;
  findings: readonly AssessedFinding[];
}

export interface RansomwareKevEntry extends KevEntry {
  /** CISA states that the CVE is used in ransomware campaigns. */
  isUsedByRansomware?: boolean;
  /** Day by which CISA requires a remedy, `2026-06-14`. */
  dueDate?: string;
}

/** What posture-2 requires of the catalogues, as they were at the instant that is scored. */
export interface ThreatCatalogue extends ScoringCatalogue {
  techniqueOf: (id: string) => { revoked?: boolean; tactics?: readonly string[] } | undefined;
  kevOf: (cve: string) => RansomwareKevEntry | undefined;
  /** Techniques that a mapping of CVEs states; none if there is no mapping. */
  techniquesOfCve?: (cve: string) => readonly string[];
  /** Ids of mitigations that ATT&CK states for a technique, without those of very many techniques. */
  mitigationsOf?: (technique: string) => readonly string[];
}
