import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { alsoEachMinute } from '../api/live.ts';
import { AppLink } from '../app/links.tsx';
import { fixed } from '../language/format.ts';
import { assetsText } from '../parts/asset-count.ts';
import { bandOf } from '../parts/score.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { GROUPINGS, type Grouping, groupAddress } from '../risk/group.ts';
import { GroupingControl, useGrouping } from '../risk/grouping-control.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { type Bar, Bars } from './bars.tsx';

const SHOWN_AT_FIRST = 12;
const GROUPS_MAX = 100;

/** Risk by group of assets, highest score first. */
export function RiskBy() {
  const grouping = useGrouping();
  return (
    <Section title={t`Risk by`} control={<GroupingControl aria-label={t`Risk by`} />}>
      <Groups key={grouping} grouping={grouping} />
    </Section>
  );
}

function Groups({ grouping }: { grouping: Grouping }) {
  const { asOf, query } = useAsOf();
  const [isWhole, setWhole] = useState(false);
  const groups = api.useQuery(
    'get',
    GROUPINGS[grouping].path,
    { params: { query: { limit: GROUPS_MAX, ...query } } },
    { placeholderData: keepPreviousData, ...alsoEachMinute(asOf) },
  );
  return (
    <Answered query={groups} waiting={<Waiting height={300} />}>
      {({ items, nextCursor }) => {
        if (items.length === 0) return <Empty title={t`No assets yet`} />;
        const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST);
        const all = i18n._(GROUPINGS[grouping].all);
        const rest = items.length - SHOWN_AT_FIRST;
        return (
          <>
            <Bars bars={shown.map((group) => barOf(group, grouping))} />
            {rest > 0 && (
              <Anchor component="button" size="sm" mt="xs" onClick={() => setWhole(!isWhole)}>
                {isWhole ? t`Show fewer` : t`Show ${rest} more`}
              </Anchor>
            )}
            {isWhole && nextCursor && (
              <Text size="xs" c="dimmed">
                <Trans>
                  Only the {GROUPS_MAX} highest scores are shown.{' '}
                  <AppLink to={`/groups?by=${grouping}`} inherit underline="always">
                    {all}
                  </AppLink>
                </Trans>
              </Text>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function barOf({ name, score, assets }: Api['GroupScoreDto'], grouping: Grouping): Bar {
  return {
    id: name,
    label: name,
    hint: assetsText(assets),
    share: (score ?? 0) / 100,
    figure: score === null ? '–' : fixed(score),
    ...(score !== null && { level: bandOf(score) }),
    to: groupAddress({ kind: grouping, name }),
    spoken: score === null ? t`no score` : scoreText(fixed(score)),
  };
}

const scoreText = (score: string): string => t`score ${score}`;
