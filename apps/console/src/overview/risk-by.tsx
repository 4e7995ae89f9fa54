import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { bandOf } from '../parts/score.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { type Bar, Bars } from './bars.tsx';
import { Section, Waiting } from './section.tsx';

/** By what assets are grouped, as the list of assets calls it. */
const GROUPINGS = {
  department: { label: 'Department', path: '/api/v3/scores/departments' },
  location: { label: 'Location', path: '/api/v3/scores/locations' },
  attackSurface: { label: 'Surface', path: '/api/v3/scores/attack-surfaces' },
  type: { label: 'Asset type', path: '/api/v3/scores/asset-types' },
} as const;

type Grouping = keyof typeof GROUPINGS;

const SHOWN_AT_FIRST = 12;
const GROUPS_MAX = 100;

const isGrouping = (value: string | undefined): value is Grouping =>
  value !== undefined && Object.hasOwn(GROUPINGS, value);

/** Where the risk lies: the groups of assets with the worst scores first. */
export function RiskBy() {
  const search = useSearch();
  const asked = search.get('by');
  const grouping = isGrouping(asked) ? asked : 'department';
  return (
    <Section
      title="Risk by"
      control={
        <SegmentedControl
          size="xs"
          aria-label="Risk by"
          value={grouping}
          onChange={(by) => search.set({ by: by === 'department' ? undefined : by })}
          data={Object.entries(GROUPINGS).map(([value, { label }]) => ({ value, label }))}
        />
      }
    >
      <Groups key={grouping} grouping={grouping} />
    </Section>
  );
}

function Groups({ grouping }: { grouping: Grouping }) {
  const { query } = useAsOf();
  const [isWhole, setWhole] = useState(false);
  const groups = api.useQuery(
    'get',
    GROUPINGS[grouping].path,
    { params: { query: { limit: GROUPS_MAX, ...query } } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Answered query={groups} waiting={<Waiting height={300} />}>
      {({ items, nextCursor }) => {
        if (items.length === 0) return <Empty title="No asset yet" />;
        const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST);
        const rest = items.length - SHOWN_AT_FIRST;
        return (
          <>
            <Bars bars={shown.map((group) => barOf(group, grouping))} />
            {rest > 0 && (
              <Anchor component="button" size="sm" mt="xs" onClick={() => setWhole(!isWhole)}>
                {isWhole ? 'Show the worst alone' : `Show ${rest} more`}
              </Anchor>
            )}
            {isWhole && nextCursor && (
              <Text size="xs" c="dimmed">
                The {GROUPS_MAX} worst are shown.
              </Text>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function barOf({ name, score, assets }: Api['GroupScoreDto'], grouping: Grouping): Bar {
  const count = `${assets.toLocaleString()} ${assets === 1 ? 'asset' : 'assets'}`;
  return {
    id: name,
    label: name,
    hint: count,
    share: (score ?? 0) / 100,
    figure: score === null ? '–' : score.toFixed(1),
    ...(score !== null && { level: bandOf(score) }),
    to: `/assets?${new URLSearchParams({ [grouping]: name, sort: '-score' })}`,
    spoken: score === null ? 'no score' : `score ${score.toFixed(1)}`,
  };
}
