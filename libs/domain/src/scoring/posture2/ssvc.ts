import { isActive } from '../scoring-facts.ts';
import {
  type CveThreat,
  type CveThreats,
  compareThreats,
  cveThreat,
  threatsTogether,
} from './cve-threats.ts';
import type { AssessedFinding, FailureFacts, ThreatCatalogue, ThreatenedAsset } from './facts.ts';
import { assetReach } from './reach.ts';
import { SSVC_DECISIONS, type SsvcDecision } from './ssvc-decisions.ts';
import { type VectorFacts, vectorFactsOf } from './vector-facts.ts';
import { mappingsOf } from './weakness.ts';

/** The inputs of CISA's tree. */
export interface SsvcInputs {
  exploitation: 'none' | 'poc' | 'active';
  automatable: boolean;
  technicalImpact: 'partial' | 'total';
  mission: 'low' | 'medium' | 'high';
}

/** By mission low, medium, high. */
type Row = readonly [SsvcDecision, SsvcDecision, SsvcDecision];

/** CERTCC, `cisa_coordinator` 2.0.3. */
export const SSVC_TREE: Readonly<
  Record<SsvcInputs['exploitation'], Record<'no' | 'yes', Record<SsvcInputs['technicalImpact'], Row>>>
> = {
  none: {
    no: { partial: ['Track', 'Track', 'Track'], total: ['Track', 'Track', 'Track*'] },
    yes: { partial: ['Track', 'Track', 'Attend'], total: ['Track', 'Track', 'Attend'] },
  },
  poc: {
    no: { partial: ['Track', 'Track', 'Track*'], total: ['Track', 'Track*', 'Attend'] },
    yes: { partial: ['Track', 'Track', 'Attend'], total: ['Track', 'Track*', 'Attend'] },
  },
  active: {
    no: { partial: ['Track', 'Track', 'Attend'], total: ['Track', 'Attend', 'Act'] },
    yes: { partial: ['Attend', 'Attend', 'Act'], total: ['Attend', 'Act', 'Act'] },
  },
};

const MISSION_INDEX = { low: 0, medium: 1, high: 2 } as const;

export const ssvcDecision = ({
  exploitation,
  automatable,
  technicalImpact,
  mission,
}: SsvcInputs): SsvcDecision =>
  SSVC_TREE[exploitation][automatable ? 'yes' : 'no'][technicalImpact][MISSION_INDEX[mission]];

/** A decision on one CVE of a finding, with what it was made of. */
interface CveDecision extends SsvcInputs, CveThreat {
  decision: SsvcDecision;
}

/** The decision on a finding, with EPSS and KEV of all valid CVEs of its failures. */
export interface FindingDecision extends SsvcInputs, CveThreats {
  decision: SsvcDecision;
  cve: string;
}

/** From here on, EPSS stands for public exploit code (chosen). */
const POC_EPSS = 0.1;
const TOTAL_SEVERITY = 9;

/**
 * The decision on a finding: the greatest one of the valid CVEs of its failures, each with the vector of the failure.
 * Among equals, that of a CVE that is known to be exploited, by ransomware first, then by the earliest day of a remedy;
 * then that of the smallest id. Null if the finding neither counts nor is not assessed in an open failing period, or no
 * failure has a valid CVE.
 */
export function findingDecision(
  finding: AssessedFinding,
  asset: ThreatenedAsset,
  catalogue: ThreatCatalogue,
  at: number,
): FindingDecision | null {
  if (!isDecidedOn(finding) || !isActive(finding, at)) return null;
  const isReachable = assetReach(asset).class !== 'inside';
  const mission = missionOf(asset);
  const { failures } = mappingsOf(finding, catalogue);
  const decisions = finding.failures.flatMap((failure, i) => {
    const vector = vectorFactsOf(failure.severity);
    const shared = {
      automatable: isReachable && (vector?.isAutomatable ?? false),
      technicalImpact: isTotal(failure, vector) ? ('total' as const) : ('partial' as const),
      mission,
    };
    return failures[i]!.cves.map((cve) => cveDecision(cve, shared, vector, catalogue));
  });
  const [worst] = decisions.toSorted(compareDecisions);
  return worst ? { ...worst, ...threatsTogether(decisions) } : null;
}

/** A scan without a result ends no failing period, so the due date by the SLA needs the decision still. */
const isDecidedOn = ({ state, isPeriodOpen }: AssessedFinding): boolean =>
  state === 'Failed' || (state === 'NotAssessed' && isPeriodOpen);

const compareDecisions = (a: CveDecision, b: CveDecision): number =>
  rank(b) - rank(a) || compareThreats(a, b);

const rank = ({ decision }: CveDecision) => SSVC_DECISIONS.indexOf(decision);

function cveDecision(
  cve: string,
  shared: Omit<SsvcInputs, 'exploitation'>,
  vector: VectorFacts | null,
  catalogue: ThreatCatalogue,
): CveDecision {
  const threat = cveThreat(cve, catalogue);
  const maturity = vector?.exploitMaturity ?? 'none';
  const isPublic = maturity === 'poc' || (threat.epss ?? 0) >= POC_EPSS;
  const exploitation = threat.kev || maturity === 'active' ? 'active' : isPublic ? 'poc' : 'none';
  const inputs: SsvcInputs = { exploitation, ...shared };
  return { decision: ssvcDecision(inputs), ...threat, ...inputs };
}

const isTotal = ({ severity }: FailureFacts, vector: VectorFacts | null) =>
  vector ? vector.isImpactTotal : severity.value >= TOTAL_SEVERITY;

export function missionOf(asset: ThreatenedAsset): SsvcInputs['mission'] {
  const requirements = [
    asset.confidentialityRequirement,
    asset.integrityRequirement,
    asset.availabilityRequirement,
  ];
  const isRequired = requirements.some((level) => level === 'high' || level === 'critical');
  switch (asset.criticality) {
    case 'critical':
      return 'high';
    case 'high':
      return isRequired ? 'high' : 'medium';
    case 'low':
    case 'info':
      return 'low';
    default:
      return 'medium';
  }
}
