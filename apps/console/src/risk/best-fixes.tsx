import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import type { Planned } from '../plans/add-to-plan.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { aboutFix, FixLink, SiteWideNote } from './fix-link.tsx';
import { cveQuery, isFilterable } from './fix-query.ts';
import { groupQuery, type Subject } from './group.ts';
import { PresentOnly } from './present-only.tsx';
import { Ranked, RankedItem } from './ranked.tsx';
import { type Current, isOutdated, RECOUNT_MS, Recount } from './recount.tsx';
import { Section, Waiting } from './section.tsx';

const AddToPlan = retryableLazy(async () => (await import('../plans/add-to-plan.tsx')).AddToPlan);

type Fix = Api['FixDto'];
type Kind = 'all' | 'cves' | 'findings';

const KINDS = { all: msg`All`, cves: msg`CVEs`, findings: msg`Findings` };
const NONE = {
  all: msg`No single fix lowers the score.`,
  cves: msg`Fixing a single CVE does not lower the score.`,
  findings: msg`Fixing a single finding does not lower the score.`,
};
const SHOWN_MAX = 10;
const TITLE = msg`Most effective fixes`;

/** The most effective fixes, for the current state only. @param score the current score */
export function BestFixes({ subject, score }: { subject: Subject; score: Current }) {
  const { asOf } = useAsOf();
  if (asOf === null) return <PresentFixes subject={subject} score={score} />;
  return (
    <PresentOnly title={i18n._(TITLE)}>
      <Trans>Fixes are calculated for the current state only.</Trans>
    </PresentOnly>
  );
}

function PresentFixes({ subject, score }: { subject: Subject; score: Current }) {
  const [kind, setKind] = useState<Kind>('all');
  const fixes = api.useQuery(
    'get',
    '/api/v3/scores/fixes',
    { params: { query: groupQuery(subject) } },
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => isOutdated(state.data?.score, score) && RECOUNT_MS,
    },
  );
  const { data, isFetching, isPlaceholderData, refetch } = fixes;
  return (
    <Section
      title={i18n._(TITLE)}
      control={
        <SegmentedControl
          size="xs"
          aria-label={t`Kind of fix`}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label: i18n._(label) }))}
        />
      }
    >
      {!isPlaceholderData && isOutdated(data?.score, score) && (
        <Recount onNow={() => void refetch()} isBusy={isFetching} />
      )}
      <Answered query={fixes} waiting={<Waiting height={460} />}>
        {(found) => <Fixes of={best(found, kind)} none={i18n._(NONE[kind])} subject={subject} />}
      </Answered>
    </Section>
  );
}

/** @param none why the list is empty, which says nothing about several fixes together */
function Fixes({ of: fixes, none, subject }: { of: Fix[]; none: string; subject: Subject }) {
  const mayPlan = useMay('findings:triage');
  const [planned, setPlanned] = useState<Fix | null>(null);
  if (fixes.length === 0) return <Empty title={t`No effective fix`}>{none}</Empty>;
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        <Trans>Change of the score if only this fix is applied:</Trans>
      </Text>
      <SiteWideNote subject={subject} />
      <Ranked label={t`Fixes, most effective first`}>
        {fixes.map((fix) => (
          <RankedItem key={fix.id} by={-fix.lowersBy} about={aboutFix(fix)}>
            <FixLink of={fix} subject={subject} />
            {mayPlan && (fix.kind === 'finding' || isFilterable(subject)) && (
              <Button size="compact-xs" variant="subtle" onClick={() => setPlanned(fix)}>
                <PlanLabel name={fix.name ?? fix.id} />
              </Button>
            )}
          </RankedItem>
        ))}
      </Ranked>
      {planned && (
        <Suspense>
          <AddToPlan
            planned={plannedOf(planned, subject)}
            about={planText(planned)}
            onClose={() => setPlanned(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Its visible part begins its name, which says what is planned. */
const PlanLabel = ({ name }: { name: string }) => (
  <Trans>
    Plan<VisuallyHidden> {name}</VisuallyHidden> …
  </Trans>
);

const planText = ({ id, name }: Fix): string =>
  name === null
    ? t`Failed findings with ${id} will be part of the plan.`
    : t`${name} will be part of the plan.`;

/** A finding, or the failed findings with a CVE on the assets of the subject. */
function plannedOf({ kind, id }: Fix, subject: Subject): Planned {
  return kind === 'finding' ? { add: [id] } : { query: cveQuery(id, subject).toString() };
}

const best = ({ cves, findings }: Api['BestFixesDto'], kind: Kind): Fix[] =>
  ({ cves, findings, all: [...cves, ...findings] })[kind]
    .toSorted((a, b) => b.lowersBy - a.lowersBy)
    .slice(0, SHOWN_MAX);
