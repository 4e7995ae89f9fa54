import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { useSettings } from '../parts/use-settings.ts';
import { useAsOf } from '../time/as-of.ts';
import type { Subject } from './group.ts';
import { PresentOnly } from './present-only.tsx';
import type { Current } from './recount.tsx';
import { Section, Waiting } from './section.tsx';

/** Most sites have no loss ranges, so it loads only with them. */
const PresentLoss = retryableLazy(async () => (await import('./present-loss.tsx')).PresentLoss);

/** The simulated loss of a year and the fixes that avoid most of it. Nothing unless loss ranges are set. */
export function AnnualLoss({ subject, score }: { subject: Subject; score: Current }) {
  const { asOf } = useAsOf();
  const title = t`Expected annual loss`;
  const settings = useSettings();
  if (!settings?.loss.length) return null;
  if (asOf !== null)
    return (
      <PresentOnly title={title}>
        <Trans>Amounts are calculated for the current state only.</Trans>
      </PresentOnly>
    );
  const waiting = (
    <Section title={title}>
      <Waiting height={460} />
    </Section>
  );
  return (
    <Suspense fallback={waiting}>
      <PresentLoss title={title} subject={subject} score={score} />
    </Suspense>
  );
}
