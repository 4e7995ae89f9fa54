import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { type Api, api } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { fixed } from '../language/format.ts';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { probabilityText, Score } from '../parts/score.tsx';
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
  const { asOf, query } = useAsOf();
  const outcome = api.useQuery(
    'get',
    '/api/v3/plans/{id}/outcome',
    { params: { path: { id }, query } },
    eachMinute(asOf),
  );
  return (
    <Section title={t`Promised and brought`}>
      <Answered query={outcome} waiting={<Waiting height={HEIGHT_PX} />}>
        {(found) => <Comparison of={found} />}
      </Answered>
    </Section>
  );
}

function Comparison({
  of: { promise, from, to, difference, byPlan, byPlanFrom, model },
}: {
  of: Api['PlanOutcomeDto'];
}) {
  const start = <Instant at={from.at} />;
  const end = <Instant at={to.at} />;
  const since = <Instant at={byPlanFrom} />;
  const before = promise.model;
  const isComparable = before === model;
  const changes = difference === 0 ? t({ message: 'None', context: 'changes' }) : pointsText(difference);
  return (
    <>
      <Facts
        of={[
          [t`Score at the start`, <Score key="start" value={from.score} />],
          [
            t`As known at the start`,
            figure(promise.score) === figure(from.score) ? null : <Score key="known" value={promise.score} />,
          ],
          [t`Promised score`, <Score key="promised" value={promise.scoreAfter} />],
          [
            t`Promised breach likelihood`,
            <bdi key="likelihood" dir="ltr">
              {probabilityText(promise.breachLikelihood)} → {probabilityText(promise.breachLikelihoodAfter)}
            </bdi>,
          ],
          [t`Brought by the plan`, byPlan === 0 ? t`No change yet` : pointsText(byPlan)],
          [t`Score`, <Score key="now" value={to.score} />],
          [t`All changes`, isComparable ? changes : null],
        ]}
      />
      <Text size="xs" c="dimmed" mt="xs">
        <Trans>
          From {start} to {end}. Other changes move the score too.
        </Trans>{' '}
        {byPlanFrom !== from.at && <Trans>What the plan brought counts from {since}.</Trans>}{' '}
        {!isComparable && (
          <>
            <Trans>
              The model has changed since the start, from {before} to {model}.
            </Trans>{' '}
            <Trans>Scores and likelihoods of two models cannot be compared.</Trans>
          </>
        )}
      </Text>
    </>
  );
}

/** As `Score` shows it. */
const figure = (score: number | null): string | null => (score === null ? null : fixed(score));

function pointsText(by: number): string {
  const points = signed(by);
  return t`${points} points`;
}
