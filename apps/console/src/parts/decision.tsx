import type { Api } from '../api/client.ts';
import classes from './badges.module.css';
import type { Level } from './severity.tsx';

type SsvcDecision = Api['SsvcDto']['decision'];

/** The severity level with the color of each decision. */
const LEVEL_OF: Record<SsvcDecision, Level> = {
  Act: 'critical',
  Attend: 'high',
  'Track*': 'medium',
  Track: 'low',
};

/** What each decision advises (CISA); most urgent first. */
export const ADVICE: Record<SsvcDecision, string> = {
  Act: 'Remediate as soon as possible',
  Attend: 'Remediate sooner than within standard update times',
  'Track*': 'Monitor closely, remediate within standard update times',
  Track: 'Remediate within standard update times',
};

export function Decision({ of: decision }: { of: SsvcDecision }) {
  return (
    <span className={classes.badge} data-level={LEVEL_OF[decision]} title={ADVICE[decision]}>
      {decision}
    </span>
  );
}
