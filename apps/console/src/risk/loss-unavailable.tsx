import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Empty } from '../parts/states.tsx';

type Reason = NonNullable<Api['LossDto']['reason']>;

/** Why there are no amounts. */
export function LossUnavailable({ reason }: { reason: Reason }) {
  const settings = (
    <AppLink to={`/settings/${reason === 'noRanges' ? 'loss' : 'policies'}`} inherit underline="always">
      <Trans>Settings</Trans>
    </AppLink>
  );
  return (
    <Empty title={t`Not available`}>
      {reason === 'beingScored' && t`The scores are being calculated again. The amounts appear afterwards.`}
      {reason === 'otherModel' && <Trans>Amounts require the scoring model posture-2. {settings}</Trans>}
      {reason === 'noRanges' && <Trans>No loss ranges are set. {settings}</Trans>}
    </Empty>
  );
}
