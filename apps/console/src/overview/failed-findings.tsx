import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Divider, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { findings } from '../parts/finding-count.ts';
import { type FindingType, typeNames } from '../parts/finding-type.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { AllOf } from './all-of.tsx';
import { type Bar, Bars } from './bars.tsx';
import { SeverityBars, shareOf } from './severity-bars.tsx';

type Counts = Record<string, number>;

/** Counts of failed findings by severity and by type. */
export function FailedFindings() {
  const { query } = useAsOf();
  const counts = api.useQuery(
    'get',
    '/api/v3/findings/counts',
    { params: { query: { state: ['Failed'], ...query } } },
    { placeholderData: keepPreviousData },
  );
  const all = counts.data && (
    <AppLink to="/findings?state=Failed" size="sm">
      <AllOf count={counts.data.total} />
    </AppLink>
  );
  return (
    <Section title={t`Failed findings`} control={all}>
      <Answered query={counts} waiting={<Waiting height={460} />}>
        {({ total, severityLevel, type }) =>
          total === 0 ? (
            <Empty title={t`No failed findings`} />
          ) : (
            <>
              <Title order={3} size="sm" c="dimmed" mb={4}>
                <Trans>By severity</Trans>
              </Title>
              <SeverityBars counts={severityLevel} search="state=Failed" />
              <Divider my="sm" />
              <Title order={3} size="sm" c="dimmed" mb={4}>
                <Trans>By type</Trans>
              </Title>
              <Bars bars={typeBars(type)} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

const typeBars = (counts: Counts): Bar[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]) => {
      const name = typeNames()[type as FindingType] ?? type;
      return {
        id: type,
        label: name,
        share: shareOf(count, counts),
        figure: number(count),
        to: `/findings?state=Failed&type=${encodeURIComponent(type)}`,
        spoken: findings(count),
      };
    });
