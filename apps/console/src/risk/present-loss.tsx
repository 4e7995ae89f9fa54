import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { SimpleGrid, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { number } from '../language/format.ts';
import { percentRange, probabilityText } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { ExceedanceCurve } from './exceedance-curve.tsx';
import { groupQuery, type Subject } from './group.ts';
import { LossFixes } from './loss-fixes.tsx';
import { LossUnavailable } from './loss-unavailable.tsx';
import { moneyFormat } from './money.ts';
import { type Current, RECOUNT_MS, Recount } from './recount.tsx';
import { Section, Waiting } from './section.tsx';
import { useIsOutdated } from './use-is-outdated.ts';

type Figures = NonNullable<Api['LossDto']['loss']>;

/** The simulated loss of a year with its curve, and the fixes that avoid most of it. */
export function PresentLoss({ title, subject, score }: { title: string; subject: Subject; score: Current }) {
  const loss = api.useQuery(
    'get',
    '/api/v3/loss',
    { params: { query: groupQuery(subject) } },
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => state.data?.reason === 'beingScored' && RECOUNT_MS,
    },
  );
  const { data, isFetching, refetch, dataUpdatedAt } = loss;
  const isOutdated = useIsOutdated(score, dataUpdatedAt);
  return (
    <>
      <Section title={title}>
        {isOutdated && <Recount onNow={() => void refetch()} isBusy={isFetching} />}
        <Answered query={loss} waiting={<Waiting height={460} />}>
          {({ loss: figures, currency, reason }) =>
            figures && currency ? (
              <Loss of={figures} currency={currency} />
            ) : (
              <LossUnavailable reason={reason ?? 'noRanges'} />
            )
          }
        </Answered>
      </Section>
      {data?.loss && <LossFixes subject={subject} score={score} />}
    </>
  );
}

function Loss({ of: loss, currency }: { of: Figures; currency: string }) {
  const money = moneyFormat(currency);
  const { annualLossExpectancy: expected, lossProbability, exceedance, assets, assetsWithoutRange } = loss;
  const [low, high] = [money(expected.low), money(expected.high)];
  const range = percentRange(lossProbability);
  const without = number(assetsWithoutRange);
  return (
    <>
      <SimpleGrid cols={2} mb="sm">
        <div>
          <Text fw={650} fz={26} className="numeric">
            {money(expected.best)}
          </Text>
          <Text size="xs" c="dimmed">
            <Trans>
              per year, {low} to {high}
            </Trans>
          </Text>
        </div>
        <div>
          <Text fw={650} fz={26} className="numeric">
            {probabilityText(lossProbability.best)}
          </Text>
          <Text size="xs" c="dimmed">
            <Trans>probability of a loss within a year, {range}</Trans>
          </Text>
        </div>
      </SimpleGrid>
      <ExceedanceCurve points={exceedance} money={money} />
      <ExceedanceTable points={exceedance} money={money} />
      <Text size="xs" c="dimmed" mt="xs">
        {assetsWithoutRange === 0 ? (
          <Trans>
            Simulated from <Plural value={assets} one="# asset" other="# assets" /> with a weakness or a
            detection.
          </Trans>
        ) : (
          <Trans>
            Simulated from <Plural value={assets} one="# asset" other="# assets" /> with a weakness or a
            detection, of which {without} have no loss range and no loss.
          </Trans>
        )}
      </Text>
    </>
  );
}

function ExceedanceTable({
  points,
  money,
}: {
  points: Figures['exceedance'];
  money: (amount: number) => string;
}) {
  return (
    <Table verticalSpacing={2} horizontalSpacing={4} captionSide="top">
      <Table.Caption>
        <Trans>Loss of a year that is exceeded with a probability</Trans>
      </Table.Caption>
      <Table.Thead style={{ hyphens: 'auto', overflowWrap: 'anywhere' }}>
        <Table.Tr>
          <Table.Th scope="col">
            <Trans>Probability</Trans>
          </Table.Th>
          {[t`Low`, t`Best`, t`High`].map((header) => (
            <Table.Th key={header} scope="col" ta="end">
              {header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.map(({ probability, loss }) => (
          <Table.Tr key={probability}>
            <Table.Th scope="row" fw={400}>
              {probabilityText(probability)}
            </Table.Th>
            {[loss.low, loss.best, loss.high].map((amount, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
              <Table.Td key={i} ta="end">
                {money(amount)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
