import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Table, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { AppLink } from '../app/links.tsx';
import { date, number, percent } from '../language/format.ts';
import { levelNames } from '../parts/severity.tsx';
import { EVERY_STATE } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { duration } from './duration.ts';
import classes from './remediation.module.css';

type Remediation = Api['TimesToRemediateDto'];
type Figures = Api['RemediationFiguresDto'];

const DAYS = [30, 90, 365];

/** Times to remediate and reopen rate of the failing periods that ended in the last days. */
export function Remediation() {
  const { asOf, query } = useAsOf();
  const [days, setDays] = useState(90);
  // Not live: it reads every failing period that ended.
  const remediation = api.useQuery(
    'get',
    '/api/v3/findings/remediation',
    { params: { query: { days, ...query } } },
    {
      placeholderData: keepPreviousData,
      ...eachMinute(asOf),
    },
  );
  const control = (
    <SegmentedControl
      size="xs"
      aria-label={t`Remedied within`}
      value={`${days}`}
      onChange={(value) => setDays(Number(value))}
      data={DAYS.map((value) => ({
        value: `${value}`,
        label: plural(value, { one: '# day', other: '# days' }),
      }))}
    />
  );
  return (
    <Section title={t`Time to remediate`} control={control}>
      <Answered query={remediation} waiting={<Waiting height={300} />}>
        {(measured) => (measured.total.remedied === 0 ? <None of={measured} /> : <Shown of={measured} />)}
      </Answered>
    </Section>
  );
}

const None = ({ of: { total } }: { of: Remediation }) => (
  <Empty title={t`Nothing remedied`}>
    <Trans>No finding became Qualified or was replaced in this time.</Trans>{' '}
    {total.endedOtherwise > 0 && otherwiseText(total)}
  </Empty>
);

function Shown({ of: { from, total, bySeverity, byWeek } }: { of: Remediation }) {
  const mean = duration(total.meanSeconds);
  const settled = `/findings?state=${EVERY_STATE}&settledAfter=${encodeURIComponent(from)}`;
  return (
    <>
      <Table className={classes.table} verticalSpacing={5} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Severity</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Remedied</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Median</Trans>
            </Table.Th>
            <Table.Th>{percent(0.9)}</Table.Th>
            <Table.Th>
              <Trans>Reopened</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bySeverity.map(({ severityLevel, ...figures }) => (
            <Row
              key={severityLevel}
              label={levelNames()[severityLevel]}
              to={`${settled}&severity=${severityLevel}`}
              of={figures}
            />
          ))}
          <Row label={t`All`} to={settled} of={total} />
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt={4}>
        <Trans>
          From the beginning of the failure until the finding passed, or a full assessment no longer contained
          it: mean {mean}. Each link shows findings that were settled in this time.
        </Trans>{' '}
        {total.endedOtherwise > 0 && otherwiseText(total)}
      </Text>
      {total.reopened > 0 && (
        <Text size="sm" mt="xs">
          <AppLink
            to={`/findings?state=${EVERY_STATE}&reopenedAfter=${encodeURIComponent(from)}`}
            inherit
            underline="always"
          >
            <Trans>Findings that failed again</Trans>
          </AppLink>
        </Text>
      )}
      <Title order={3} size="sm" c="dimmed" mt="sm">
        <Trans>Median by week</Trans>
      </Title>
      <Weeks of={byWeek} />
    </>
  );
}

function Row({ label, to, of: figures }: { label: string; to: string; of: Figures }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <AppLink to={to} inherit>
          {label}
        </AppLink>
      </Table.Th>
      <Table.Td>{number(figures.remedied)}</Table.Td>
      <Table.Td>{duration(figures.medianSeconds)}</Table.Td>
      <Table.Td>{duration(figures.p90Seconds)}</Table.Td>
      <Table.Td>{rate(figures.reopenRate)}</Table.Td>
    </Table.Tr>
  );
}

/** A bar for each week; weeks in which nothing was remedied have none. */
function Weeks({ of: weeks }: { of: Remediation['byWeek'] }) {
  const largest = Math.max(1, ...weeks.map(({ medianSeconds }) => medianSeconds ?? 0));
  const known = weeks.filter(({ medianSeconds }) => medianSeconds !== null);
  const [first, last] = [known[0], known.at(-1)];
  const [begin, end, most] = [weekText(first), weekText(last), duration(largest)];
  return (
    <div
      className={classes.weeks}
      role="img"
      aria-label={t`Median time to remediate by week: ${begin}, ${end}, at most ${most}`}
    >
      {weeks.map((week) => (
        <span
          key={week.to}
          title={weekText(week)}
          data-empty={week.medianSeconds === null || undefined}
          style={{ height: `${((week.medianSeconds ?? 0) / largest) * 100}%` }}
        />
      ))}
    </div>
  );
}

function weekText(week: Remediation['byWeek'][number] | undefined): string {
  if (week === undefined) return t`none`;
  const [end, median] = [date(week.to, { dateStyle: 'medium' }), duration(week.medianSeconds)];
  return t`week until ${end} ${median}`;
}

const otherwiseText = ({ endedOtherwise }: Figures): string =>
  plural(endedOtherwise, {
    one: 'One more ended otherwise: it expired, was revoked, or its asset was deleted.',
    other: '# more ended otherwise: they expired, were revoked, or their asset was deleted.',
  });

/** More than none is never shown as 0 %. */
const rate = (share: number | null): string =>
  share === null ? '–' : percent(share > 0 ? Math.max(0.01, Math.round(share * 100) / 100) : 0);
