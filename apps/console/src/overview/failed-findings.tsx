import { Divider, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { type FindingType, TYPE_NAMES } from '../parts/finding-type.ts';
import { LEVEL_FROM, LEVELS, type Level } from '../parts/severity.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { type Bar, Bars } from './bars.tsx';

type Counts = Record<string, number>;

const LEVEL_NAMES: Record<Level, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

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
      All {counts.data.total.toLocaleString()}
    </AppLink>
  );
  return (
    <Section title="Failed findings" control={all}>
      <Answered query={counts} waiting={<Waiting height={460} />}>
        {({ total, severityLevel, type }) =>
          total === 0 ? (
            <Empty title="No failed findings" />
          ) : (
            <>
              <Title order={3} size="sm" c="dimmed" mb={4}>
                By severity
              </Title>
              <Bars bars={LEVELS.flatMap((level) => severityBar(level, severityLevel))} />
              <Text size="xs" c="dimmed" mt={4}>
                Each link shows findings of that severity and above.
              </Text>
              <Divider my="sm" />
              <Title order={3} size="sm" c="dimmed" mb={4}>
                By type
              </Title>
              <Bars bars={typeBars(type)} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function severityBar(level: Level, counts: Counts): Bar[] {
  const count = counts[level] ?? 0;
  const from = LEVEL_FROM[level];
  if (level === 'info' && count === 0) return [];
  return [
    {
      id: level,
      label: LEVEL_NAMES[level],
      hint: from === 0 ? '0' : `from ${from}`,
      share: shareOf(count, counts),
      figure: count.toLocaleString(),
      level,
      to: `/findings?state=Failed${from === 0 ? '' : `&severityMin=${from}`}`,
      spoken: findings(count),
    },
  ];
}

const typeBars = (counts: Counts): Bar[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]) => {
      const name = TYPE_NAMES[type as FindingType] ?? type;
      return {
        id: type,
        label: name,
        share: shareOf(count, counts),
        figure: count.toLocaleString(),
        to: `/findings?state=Failed&type=${encodeURIComponent(type)}`,
        spoken: findings(count),
      };
    });

/** Relative to the largest count, so that the bars use the full width. */
const shareOf = (count: number, counts: Counts): number => count / Math.max(1, ...Object.values(counts));

const findings = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? 'finding' : 'findings'}`;
