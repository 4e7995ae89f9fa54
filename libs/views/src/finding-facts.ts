import { attackTechnique } from '#libs/catalogue';
import {
  type Assignee,
  countsForScoring,
  cvesOf,
  type Finding,
  type FindingState,
  type InstanceStatus,
  type ObservedInstance,
  type ScoringCatalogue,
  techniquesOf,
  triageOf,
} from '#libs/domain';
import { severityView } from './severity-view.ts';

/** The status of an instance in the API. */
export const STATUS_NAMES: Record<InstanceStatus, string> = {
  fail: 'Failed',
  pass: 'Qualified',
  unknown: 'NotAssessed',
};

/** The part of the catalogues on which it depends whether a finding counts. */
export type CountingCatalogue = Pick<ScoringCatalogue, 'techniqueOf' | 'cveStateOf'>;

/** A finding with its asset and its reported state, which expiry may have changed since the fold. */
export interface StatedFinding {
  assetId: string;
  assetName: string;
  finding: Finding;
  state: FindingState;
  retiredReason: Finding['retiredReason'];
}

/**
 * The fields of a finding in the API that are the same for a reader, a list and a subscriber: its content and whether
 * it counts, without times, acts of users and instances.
 * @param catalogue states of CVEs, and techniques; omitted if imports must have no effect: then every CVE is valid, and
 *   only the techniques that ship with the service are known
 */
export function findingFacts(
  { assetId, assetName, finding, state, retiredReason }: StatedFinding,
  catalogue?: CountingCatalogue,
) {
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
    severity: severityView(finding),
    ...mappings,
    ...countsForScoring(
      { state, ...mappings },
      catalogue?.techniqueOf ?? attackTechnique,
      catalogue?.cveStateOf,
    ),
    source: finding.source.name,
    controlType: finding.controlType,
    ...triageFacts(finding),
  };
}

/** What users decided about the work on a finding, without the times, in the words of the API. */
function triageFacts(finding: Finding) {
  const { assignee, tags, due, tickets, comments } = triageOf(finding);
  return {
    assignee: assignee && assigneeView(assignee),
    tags,
    dueReason: due?.reason ?? null,
    tickets: tickets.map(({ url, label }) => ({ url, label })),
    comments,
  };
}

/** As the API takes and returns it. */
export const assigneeView = (assignee: Assignee): { type: 'user' | 'team'; name: string } =>
  'user' in assignee ? { type: 'user', name: assignee.user } : { type: 'team', name: assignee.team };

/** One instance of a finding in the words of the API. */
export const instanceView = ({ key, status, counted, evidence, tags }: ObservedInstance) => ({
  key,
  status: STATUS_NAMES[status],
  counted,
  evidence,
  tags,
});
