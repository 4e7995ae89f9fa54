import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Divider, Text, Title } from '@mantine/core';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { type Api, api, type Failure } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { AppLink } from '../app/links.tsx';
import { number, percent } from '../language/format.ts';
import { findings } from '../parts/finding-count.ts';
import { type SlaState, slaStateNames } from '../parts/sla-state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { PresentOnly } from '../risk/present-only.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { type Bar, Bars } from './bars.tsx';
import { SeverityBars, shareOf } from './severity-bars.tsx';

type Counts = Api['FindingTotalsDto'];
type Counted = Record<SlaState, Counts>;

const SHOWN: readonly SlaState[] = ['overdue', 'due', 'met', 'missed'];
const HINTS: Record<SlaState, MessageDescriptor> = {
  overdue: msg`past the due date`,
  due: msg`not past the due date`,
  met: msg`remedied in time`,
  missed: msg`remedied late`,
};
/** Colour of the bar, as of the badge. */
const LEVEL_OF: Partial<Record<SlaState, string>> = { overdue: 'critical', missed: 'high' };

/** How many findings are due, overdue, and were remedied in their time or not. */
export function DueDates() {
  const { asOf } = useAsOf();
  const counted = useCounted();
  // Past decisions are not stored.
  if (asOf !== null && isRejected(counted.error)) {
    return (
      <PresentOnly title={t`Due dates`}>
        <Trans>The SLA of that time has days by SSVC decision or known exploitation.</Trans>
      </PresentOnly>
    );
  }
  return (
    <Section title={t`Due dates`}>
      <Answered query={counted} waiting={<Waiting height={300} />}>
        {(counts) => (SHOWN.every((state) => counts[state].total === 0) ? <None /> : <Shown of={counts} />)}
      </Answered>
    </Section>
  );
}

/** Refreshed each minute only: counting reads every finding that is due. */
function useCounted() {
  const { asOf, query } = useAsOf();
  return useQueries({
    queries: SHOWN.map((sla) =>
      api.queryOptions(
        'get',
        '/api/v3/findings/counts',
        { params: { query: { sla, ...query } } },
        {
          placeholderData: keepPreviousData,
          ...eachMinute(asOf),
        },
      ),
    ),
    combine: (all) => ({
      data: all.every(({ data }) => data !== undefined)
        ? (Object.fromEntries(SHOWN.map((sla, i) => [sla, all[i]!.data])) as Counted)
        : undefined,
      error: (all.find(({ error }) => error !== null)?.error ?? null) as Failure | null,
      refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
    }),
  });
}

const isRejected = (error: Failure | null): boolean =>
  error !== null && !(error instanceof Error) && error.statusCode === 400;

function None() {
  const mayReadSettings = useMay('settings:read');
  return (
    <Empty title={t`No due dates`}>
      {mayReadSettings ? (
        <Trans>
          Findings are due by the{' '}
          <AppLink to="/settings/sla" inherit underline="always">
            SLA
          </AppLink>
          , or until a date that a user sets.
        </Trans>
      ) : (
        <Trans>Findings are due by the SLA, or until a date that a user sets.</Trans>
      )}
    </Empty>
  );
}

function Shown({ of: counts }: { of: Counted }) {
  const totals = Object.fromEntries(SHOWN.map((state) => [state, counts[state].total]));
  const remedied = counts.met.total + counts.missed.total;
  const { overdue } = counts;
  const inTime = wholePercent(counts.met.total / remedied);
  return (
    <>
      <Bars bars={SHOWN.map((state) => stateBar(state, totals))} />
      {remedied > 0 && (
        <Text size="sm" mt="xs">
          <Trans>{inTime} of the remedied findings were remedied in time.</Trans>
        </Text>
      )}
      {overdue.total > 0 && (
        <>
          <Divider my="sm" />
          <Title order={3} size="sm" c="dimmed" mb={4}>
            <Trans>Overdue by severity</Trans>
          </Title>
          <SeverityBars counts={overdue.severityLevel} search="sla=overdue&sort=due" />
        </>
      )}
    </>
  );
}

function stateBar(state: SlaState, totals: Record<string, number>): Bar {
  const count = totals[state]!;
  return {
    id: state,
    label: slaStateNames()[state],
    hint: i18n._(HINTS[state]),
    share: shareOf(count, totals),
    figure: number(count),
    ...(LEVEL_OF[state] && { level: LEVEL_OF[state] }),
    // Remedied findings have no due date by the SLA, so that they cannot be sorted by it.
    to: `/findings?sla=${state}${state === 'due' || state === 'overdue' ? '&sort=due' : ''}`,
    spoken: findings(count),
  };
}

/** Less than all is never shown as 100 %. */
const wholePercent = (share: number): string => percent(Math.floor(share * 100) / 100);
