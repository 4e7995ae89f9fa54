import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { number } from '../language/format.ts';
import { findings } from '../parts/finding-count.ts';
import { LEVEL_FROM, LEVELS, type Level, levelNames } from '../parts/severity.tsx';
import { type Bar, Bars } from './bars.tsx';

type Counts = Record<string, number>;

/** Counts of findings by level of severity. @param search the query of the list of them, for links */
export function SeverityBars({ counts, search }: { counts: Counts; search: string }) {
  return (
    <>
      <Bars bars={LEVELS.flatMap((level) => severityBar(level, counts, search))} />
      <Text size="xs" c="dimmed" mt={4}>
        <Trans>Each link shows findings of that severity and above.</Trans>
      </Text>
    </>
  );
}

function severityBar(level: Level, counts: Counts, search: string): Bar[] {
  const count = counts[level] ?? 0;
  const from = LEVEL_FROM[level];
  if (level === 'info' && count === 0) return [];
  return [
    {
      id: level,
      label: levelNames()[level],
      hint: from === 0 ? '0' : fromText(number(from)),
      share: shareOf(count, counts),
      figure: number(count),
      level,
      to: `/findings?${search}${from === 0 ? '' : `&severityMin=${from}`}`,
      spoken: findings(count),
    },
  ];
}

/** Relative to the largest count, so that the bars use the full width. */
export const shareOf = (count: number, counts: Counts): number =>
  count / Math.max(1, ...Object.values(counts));

const fromText = (severity: string): string => t({ message: `from ${severity}`, comment: 'least severity' });
