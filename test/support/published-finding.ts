/**
 * The fields of a finding of the API that topics, the change stream and webhooks have too (docs/subscribing.md). Without
 * an SLA and without owner rules: `due` and `assignee` of the API are then those of a user.
 */
export function publishedFinding(finding: any): any {
  const {
    observation,
    overdue,
    overdueSince,
    dueBy,
    assigneeBy,
    sla,
    epss,
    kev,
    ssvc,
    technical,
    businessImpact,
    mappings,
    ...published
  } = finding;
  return published;
}
