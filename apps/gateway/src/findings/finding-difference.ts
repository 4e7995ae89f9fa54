import { deepEqual } from 'fast-equals';
import {
  cvesOf,
  type Finding,
  isoTimeOrNull,
  type ObservedInstance,
  techniquesOf,
  triageOf,
} from '#libs/domain';
import { assigneeView, STATUS_NAMES, severityView } from '#libs/views';

/** The effect of one change on a field, or on an instance, of a finding. */
export interface FieldChange {
  /** The name in the API's finding, otherwise the name in signals. `instances` for each instance that differs. */
  field: string;
  /** The instance's key, which is empty for the only one of a singular signal; null for every other field. */
  key: string | null;
  /**
   * Null: no value, or no such instance. Of an instance that exists before and after, both sides have only the
   * differing fields.
   */
  before: unknown;
  after: unknown;
}

type View = Record<string, unknown>;

/**
 * The differences between two versions of a finding, with the names of the API: first its state and the users'
 * decisions, then its content, then its instances by key. Complete and unabridged. `version` and `updatedAt` are
 * omitted; id, type and `firstSeen` never change.
 * @param before null at the creation: all initial values, each with `before` null
 * @param after a later version of the same finding
 * @returns empty exactly if none of these fields differs
 */
export function findingDifference(before: Finding | null, after: Finding): FieldChange[] {
  const old = before && fieldsOf(before);
  const fields = Object.entries(fieldsOf(after)).flatMap(([field, now]) =>
    changeOf(field, null, old?.[field] ?? null, now),
  );
  return [...fields, ...instanceChanges(before?.instances ?? [], after.instances)];
}

function fieldsOf(finding: Finding): View {
  const { accepted, heldFailed, source } = finding;
  const { assignee, tags, due, tickets, comments } = triageOf(finding);
  return {
    state: finding.state,
    retiredReason: finding.retiredReason,
    accepted: accepted && {
      ...accepted,
      at: isoTimeOrNull(accepted.at),
      until: isoTimeOrNull(accepted.until),
    },
    heldFailed: heldFailed && { ...heldFailed, at: isoTimeOrNull(heldFailed.at) },
    assignee: assignee && assigneeView(assignee),
    tags: listOrNull(tags),
    due: isoTimeOrNull(due?.at ?? null),
    dueReason: due?.reason ?? null,
    tickets: listOrNull(tickets.map(({ label, url }) => `${label} ${url}`)),
    comments: comments === 0 ? null : comments,
    name: finding.name,
    subtype: finding.subtype,
    severity: severityView(finding),
    cves: listOrNull(cvesOf(finding)),
    techniques: listOrNull(techniquesOf(finding)),
    description: finding.description,
    technical: finding.technical,
    businessImpact: finding.businessImpact,
    remediation: finding.remediation,
    source: source.name,
    nextSubmissionIntervalInMins: source.nextSubmissionIntervalInMins,
    controlType: finding.controlType,
    confidence: finding.confidence,
    extra: finding.extra,
  };
}

const listOrNull = (list: string[]) => (list.length === 0 ? null : list);

function instanceChanges(before: ObservedInstance[], after: ObservedInstance[]): FieldChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort();
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key) ?? null, now.get(key) ?? null];
    const [left, right] = was && is ? onlyDiffering(was, is) : [was, is];
    return changeOf('instances', key, left, right);
  });
}

const byKey = (instances: ObservedInstance[]): Map<string, View> =>
  new Map(instances.map(({ key, status, ...rest }) => [key, { status: STATUS_NAMES[status], ...rest }]));

function onlyDiffering(was: View, is: View): [View, View] {
  const fields = Object.keys({ ...was, ...is }).filter((field) => !deepEqual(was[field], is[field]));
  const pick = (view: View): View => Object.fromEntries(fields.map((field) => [field, view[field]]));
  return [pick(was), pick(is)];
}

const changeOf = (field: string, key: string | null, before: unknown, after: unknown): FieldChange[] =>
  deepEqual(before, after) ? [] : [{ field, key, before, after }];
