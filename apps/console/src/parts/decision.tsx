import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import classes from './badges.module.css';
import type { Level } from './severity.tsx';

export type SsvcDecision = Api['SsvcDto']['decision'];

/** Most urgent first. */
export const DECISIONS: readonly SsvcDecision[] = ['Act', 'Attend', 'Track*', 'Track'];

/** The severity level with the color of each decision. */
const LEVEL_OF: Record<SsvcDecision, Level> = {
  Act: 'critical',
  Attend: 'high',
  'Track*': 'medium',
  Track: 'low',
};

/** What each decision advises (CISA); most urgent first. */
export const advice = (): Record<SsvcDecision, string> => ({
  Act: t`Remediate as soon as possible`,
  Attend: t`Remediate sooner than within standard update times`,
  'Track*': t`Monitor closely, remediate within standard update times`,
  Track: t`Remediate within standard update times`,
});

export function Decision({ of: decision }: { of: SsvcDecision }) {
  return (
    <span className={classes.badge} data-level={LEVEL_OF[decision]} dir="ltr" title={advice()[decision]}>
      {decision}
    </span>
  );
}
