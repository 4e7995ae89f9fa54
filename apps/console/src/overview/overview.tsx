import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { AppLink } from '../app/links.tsx';
import { placesFor } from '../app/places.ts';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { AnnualLoss } from '../risk/annual-loss.tsx';
import { BestFixes } from '../risk/best-fixes.tsx';
import { Posture } from '../risk/posture.tsx';
import { ScoreChanges } from '../risk/score-changes.tsx';
import { Waiting } from '../risk/section.tsx';
import { type Risk, useRisk } from '../risk/use-risk.ts';
import { useMay, useSession } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { Coverage } from './coverage.tsx';
import { DueDates } from './due-dates.tsx';
import { FailedFindings } from './failed-findings.tsx';
import { Remediation } from './remediation.tsx';
import { RiskBy } from './risk-by.tsx';
import { WhenNear } from './when-near.tsx';

/** Only for users with these tasks, and after the rest. */
const MyWork = retryableLazy(async () => (await import('./my-work.tsx')).MyWork);
const SiteState = retryableLazy(async () => (await import('./site-state.tsx')).SiteState);

const POSTURE_HEIGHT = 352;
const WORK_HEIGHT = 360;

/**
 * Sections by the scopes of the user, in the order of the work: the state of the site for those who run it, the own
 * findings first for those who only triage, otherwise last, and the score with its trend, causes and fixes.
 */
export function Overview() {
  const { asOf } = useAsOf();
  const mayReadScores = useMay('scores:read');
  const mayReadFindings = useMay('findings:read');
  const showsCoverage = useShowsCoverage();
  const runsSite = useRunsSite();
  const triages = useMay('findings:triage') && asOf === null;
  const work = triages && (
    <Suspense fallback={<Skeleton height={WORK_HEIGHT} role="status" aria-label={t`Loading`} />}>
      <MyWork />
    </Suspense>
  );
  if (!(runsSite && asOf === null) && !triages && !mayReadScores && !mayReadFindings && !showsCoverage) {
    return <OtherPages />;
  }
  return (
    <Stack>
      {runsSite && asOf === null && (
        <Suspense fallback={<Skeleton height={130} role="status" aria-label={t`Loading`} />}>
          <SiteState />
        </Suspense>
      )}
      {!runsSite && work}
      {mayReadScores ? (
        <WithRisk>{runsSite && triages && <WhenNear height={WORK_HEIGHT}>{work}</WhenNear>}</WithRisk>
      ) : (
        runsSite && work
      )}
      {!mayReadScores && (
        <Sections>
          <FindingSections />
        </Sections>
      )}
    </Stack>
  );
}

/** For a role that no section is for. */
function OtherPages() {
  const others = placesFor(useSession()?.scopes ?? []).filter(({ to }) => to !== '/');
  const title =
    useAsOf().asOf === null
      ? t`Your role cannot read any section of this page`
      : t`Your role cannot read any section of this page at a past time`;
  return (
    <Empty title={title}>
      <Group justify="center">
        {others.map(({ to, label }) => (
          <AppLink key={to} to={to} underline="always">
            {i18n._(label)}
          </AppLink>
        ))}
      </Group>
    </Empty>
  );
}

function useShowsCoverage(): boolean {
  const mayReadAssets = useMay('assets:read');
  return useAsOf().asOf === null && mayReadAssets;
}

function useRunsSite(): boolean {
  const mayChangeSettings = useMay('settings:write');
  const mayChangeIntegrations = useMay('integrations:write');
  return mayChangeSettings || mayChangeIntegrations;
}

function WithRisk({ children }: { children: ReactNode }) {
  const { asOf, query } = useAsOf();
  const score = useRisk(null, query);
  if (score.data === undefined && score.error === null) return <Waiting height={POSTURE_HEIGHT} />;
  if (score.data === null || (asOf !== null && score.data?.assets === 0))
    return (
      <Empty title={t`No data at this time`}>
        <Trans>No asset was reported before this time.</Trans>
      </Empty>
    );
  return (
    <>
      <Answered query={score} waiting={null}>
        {(organization) => organization && <Posture subject={null} risk={organization} />}
      </Answered>
      <RiskSections of={score.data} />
      {children}
    </>
  );
}

/** @param of undefined: the score cannot be read, as by users who are limited to departments or locations */
const RiskSections = ({ of: { score } = {} }: { of: Partial<Risk> | undefined }) => (
  <Sections>
    {score !== undefined && <ScoreChanges subject={null} score={score} />}
    <BestFixes subject={null} score={score} />
    <RiskBy />
    <FindingSections />
    <AnnualLoss subject={null} score={score} />
  </Sections>
);

function FindingSections() {
  const mayReadFindings = useMay('findings:read');
  const showsCoverage = useShowsCoverage();
  return (
    <>
      {mayReadFindings && (
        <>
          <FailedFindings />
          <DueDates />
          <Remediation />
        </>
      )}
      {showsCoverage && <Coverage />}
    </>
  );
}

const Sections = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
    {children}
  </SimpleGrid>
);
