import { type Finding, severityOf } from '#libs/domain';

/** A finding's severity as readers get it; `value` and scores are 0 to 10. */
export function severityView(finding: Pick<Finding, 'instances'>) {
  const { value, level, vector, baseScore, temporalScore, type } = severityOf(finding);
  return { value, level, vector, baseScore, temporalScore, type };
}
