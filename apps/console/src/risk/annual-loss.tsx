import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { useSettings } from '../parts/use-settings.ts';
import { useAsOf } from '../time/as-of.ts';
import type { Subject } from './group.ts';
import { PresentOnly } from './present-only.tsx';
import { Section, Waiting } from './section.tsx';

const TITLE = 'Expected annual loss';

/** Most sites have no loss ranges, so it loads only with them. */
const PresentLoss = retryableLazy(async () => (await import('./present-loss.tsx')).PresentLoss);

/** The simulated loss of a year and the fixes that avoid most of it. Nothing unless loss ranges are set. */
export function AnnualLoss({ subject, score }: { subject: Subject; score: number | null }) {
  const { asOf } = useAsOf();
  const settings = useSettings();
  if (!settings?.lossRanges) return null;
  if (asOf !== null)
    return (
      <PresentOnly title={TITLE}>
        <Trans>Amounts are calculated for the current state only.</Trans>
      </PresentOnly>
    );
  const waiting = (
    <Section title={TITLE}>
      <Waiting height={460} />
    </Section>
  );
  return (
    <Suspense fallback={waiting}>
      <PresentLoss title={TITLE} subject={subject} score={score} />
    </Suspense>
  );
}
