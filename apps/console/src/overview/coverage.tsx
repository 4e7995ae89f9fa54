import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { assetsText } from '../parts/asset-count.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { type Bar, Bars } from './bars.tsx';

const DAYS = [7, 30, 90];
const SOURCES_SHOWN = 12;

/** Assets that are no longer reported, by source. */
export function Coverage() {
  const [days, setDays] = useState(30);
  const coverage = api.useQuery(
    'get',
    '/api/v3/assets/coverage',
    { params: { query: { notSeenDays: days } } },
    { placeholderData: keepPreviousData },
  );
  const control = (
    <SegmentedControl
      size="xs"
      aria-label={t`Not seen for`}
      value={`${days}`}
      onChange={(value) => setDays(Number(value))}
      data={DAYS.map((value) => ({
        value: `${value}`,
        label: plural(value, { one: '# day', other: '# days' }),
      }))}
    />
  );
  return (
    <Section title={t`Assets not seen for`} control={control}>
      <Answered query={coverage} waiting={<Waiting height={200} />}>
        {({ assets, notSeen, notSeenDays, sources }) =>
          assets === 0 ? (
            <Empty title={t`No assets yet`} />
          ) : (
            <>
              <Text size="sm" mb="xs">
                <NotSeen days={notSeenDays} notSeen={notSeen} all={assetsText(assets)} />
              </Text>
              <Bars bars={sources.slice(0, SOURCES_SHOWN).map((source) => barOf(source, notSeenDays))} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function NotSeen({ days, notSeen, all }: { days: number; notSeen: number; all: string }) {
  const count = number(notSeen);
  return (
    <Trans>
      Not reported by any source:{' '}
      <AppLink to={`/assets?notSeenDays=${days}`} inherit underline="always">
        {count} of {all}
      </AppLink>
      .
    </Trans>
  );
}

function barOf({ source, assets, notSeen }: Api['SourceCoverageDto'], days: number): Bar {
  return {
    id: source,
    label: source,
    hint: assetsText(assets),
    share: notSeen / assets,
    figure: number(notSeen),
    to: `/assets?source=${encodeURIComponent(source)}&notSeenDays=${days}`,
    spoken: plural(notSeen, { one: '# not seen', other: '# not seen' }),
  };
}
