import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { aboutFix, FixLink, SiteWideNote } from './fix-link.tsx';
import { groupQuery, type Subject } from './group.ts';
import { LossUnavailable } from './loss-unavailable.tsx';
import { moneyFormat } from './money.ts';
import { Ranked, RankedItem } from './ranked.tsx';
import { type Current, RECOUNT_MS, Recount } from './recount.tsx';
import { Section, Waiting } from './section.tsx';
import { useIsOutdated } from './use-is-outdated.ts';

/** The fixes that avoid most loss of a year. Each one is simulated, so they are requested after the amounts. */
export function LossFixes({ subject, score }: { subject: Subject; score: Current }) {
  const fixes = api.useQuery(
    'get',
    '/api/v3/loss/fixes',
    { params: { query: groupQuery(subject) } },
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => state.data?.reason === 'beingScored' && RECOUNT_MS,
    },
  );
  const { isFetching, refetch, dataUpdatedAt } = fixes;
  const isOutdated = useIsOutdated(score, dataUpdatedAt);
  return (
    <Section title={t`Fixes that avoid most loss`}>
      {isOutdated && <Recount onNow={() => void refetch()} isBusy={isFetching} />}
      <Answered query={fixes} waiting={<Waiting height={460} />}>
        {({ fixes: found, currency, reason }) =>
          found && currency ? (
            <Fixes of={found} currency={currency} subject={subject} />
          ) : (
            <LossUnavailable reason={reason ?? 'noRanges'} />
          )
        }
      </Answered>
    </Section>
  );
}

function Fixes({
  of: fixes,
  currency,
  subject,
}: {
  of: readonly Api['LossFixDto'][];
  currency: string;
  subject: Subject;
}) {
  if (fixes.length === 0)
    return (
      <Empty title={t`No effective fix`}>
        <Trans>No single fix avoids loss.</Trans>
      </Empty>
    );
  const money = moneyFormat(currency);
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        <Trans>Change of the expected annual loss if only this fix is applied:</Trans>
      </Text>
      <SiteWideNote subject={subject} />
      <Ranked label={t`Fixes, most avoided loss first`} isWide>
        {fixes.map((fix) => (
          <RankedItem
            key={`${fix.kind} ${fix.id}`}
            by={-fix.avoidedLoss}
            figure={fix.avoidedLoss === 0 ? '≈ 0' : money(-fix.avoidedLoss)}
            about={`${aboutFix(fix)} · ${errorWords(fix, money)}`}
          >
            <FixLink of={fix} subject={subject} />
          </RankedItem>
        ))}
      </Ranked>
    </>
  );
}

function errorWords(
  { avoidedLoss, standardError }: Api['LossFixDto'],
  money: (amount: number) => string,
): string {
  if (avoidedLoss === 0) return t`below the accuracy of the simulation`;
  const error = money(standardError);
  return t`standard error ${error}`;
}
