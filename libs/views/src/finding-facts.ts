import { attackTechnique } from '#libs/catalogue';
import {
  type CveStateLookup,
  countsForScoring,
  cvesOf,
  type Finding,
  type FindingState,
  type InstanceStatus,
  type ObservedInstance,
  severityOf,
  techniquesOf,
} from '#libs/domain';

/** What the API calls the status of an instance. */
export const STATUS_NAMES: Record<InstanceStatus, string> = {
  fail: 'Failed',
  pass: 'Qualified',
  unknown: 'NotAssessed',
};

/** A finding with its asset and the state that is to be told of it, which expiry may have moved since the fold. */
export interface StatedFinding {
  assetId: string;
  assetName: string;
  finding: Finding;
  state: FindingState;
  retiredReason: Finding['retiredReason'];
}

/**
 * A finding in the words of the API (api.md: findings), as far as they are the same for a reader, a list and a
 * subscriber: what it is and whether it counts (D22), without times, acts of users and instances.
 * @param cveStateOf what the catalogues call a CVE; left out where catalogues must not matter: every CVE is valid then
 */
export function findingFacts(
  { assetId, assetName, finding, state, retiredReason }: StatedFinding,
  cveStateOf?: CveStateLookup,
) {
  const { value, level, vector, baseScore, type } = severityOf(finding);
  const mappings = { cves: cvesOf(finding), techniques: techniquesOf(finding) };
  return {
    id: finding.id,
    assetId,
    assetName,
    type: finding.type,
    subtype: finding.subtype,
    name: finding.name,
    state,
    retiredReason,
    severity: { value, level, vector, baseScore, type },
    ...mappings,
    ...countsForScoring({ state, ...mappings }, attackTechnique, cveStateOf),
    source: finding.source.name,
    controlType: finding.controlType,
  };
}

/** One instance of a finding in the words of the API (api.md: findings, `instances`). */
export const instanceView = ({ key, status, counted, evidence, tags }: ObservedInstance) => ({
  key,
  status: STATUS_NAMES[status],
  counted,
  evidence,
  tags,
});
