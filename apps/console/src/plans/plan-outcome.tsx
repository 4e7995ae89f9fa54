import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type Api, api } from '../api/client.ts';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { percent, Score } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { signed } from '../risk/signed.ts';
import { useAsOf } from '../time/as-of.ts';
import type { Plan } from './plan.ts';

const HEIGHT_PX = 200;

/** The score that a plan promised, and what it brought. */
export function PlanOutcome({ plan }: { plan: Plan }) {
  if (plan.startedAt === null) {
    return (
      <Section title={t`Score`}>
        <Text size="sm">
          <Trans>
            When the plan starts, the score of the organization with all of its findings fixed is computed and
            stored with it. Later you can compare it with what the plan brought.
          </Trans>
        </Text>
      </Section>
    );
  }
  return <Outcome id={plan.id} />;
}

function Outcome({ id }: { id: string }) {
  const { query } = useAsOf();
  const outcome = api.useQuery(
    'get',
    '/api/v3/plans/{id}/outcome',
    { params: { path: { id }, query } },
    { meta: { live: false } },
  );
  return (
    <Section title={t`Promised and brought`}>
      <Answered query={outcome} waiting={<Waiting height={HEIGHT_PX} />}>
        {(found) => <Comparison of={found} />}
      </Answered>
    </Section>
  );
}

function Comparison({ of: { promise, from, to, difference, byPlan } }: { of: Api['PlanOutcomeDto'] }) {
  return (
    <>
      <Facts
        of={[
          [t`Score at the start`, <Score key="start" value={promise.score} />],
          [t`Promised score`, <Score key="promised" value={promise.scoreAfter} />],
          [
            t`Promised breach likelihood`,
            `${percent(promise.breachLikelihood)} → ${percent(promise.breachLikelihoodAfter)}`,
          ],
          [t`Brought by the plan`, byPlan === 0 ? t`No change yet` : `${signed(byPlan)} points`],
          [t`Score`, <Score key="now" value={to.score} />],
          [t`All changes`, difference === 0 ? t`None` : `${signed(difference)} points`],
        ]}
      />
      <Text size="xs" c="dimmed" mt="xs">
        <Trans>
          From <Instant at={from.at} /> to <Instant at={to.at} />. Other changes move the score too.
        </Trans>
      </Text>
    </>
  );
}
