import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Flex, Group, Paper, Stack, Text } from '@mantine/core';
import { fixed, number } from '../language/format.ts';
import { TWO_DIGITS } from '../parts/digits.ts';
import { LikelihoodParts } from '../parts/likelihood-parts.tsx';
import { bandOf, percentRange, probabilityText } from '../parts/score.tsx';
import { Difference } from './difference.tsx';
import type { Subject } from './group.ts';
import classes from './posture.module.css';
import { Trend } from './trend.tsx';
import { DAY_MS, useMoment } from './use-moment.ts';
import { type Risk, useRisk } from './use-risk.ts';

/** Score and breach likelihood of the organization or a group, their change since yesterday, and their trend. */
export function Posture({ subject, risk }: { subject: Subject; risk: Risk }) {
  const { score, breachLikelihood, assets, scoredAssets, model } = risk;
  const yesterday = useYesterday(subject);
  const isComparable = !yesterday || yesterday.score === null || yesterday.model === model;
  const note = isComparable ? undefined : notComparable(yesterday.model);
  const [scored, all] = [number(scoredAssets), number(assets)];
  const before = isComparable ? yesterday : null;
  const name = subject?.name;
  return (
    <Paper
      withBorder
      p="lg"
      component="section"
      aria-label={name === undefined ? t`Posture of the organization` : t`Posture of ${name}`}
    >
      <Flex direction={{ base: 'column', md: 'row' }} gap="xl">
        <Stack gap="lg" w={{ md: 250 }} style={{ flexShrink: 0 }}>
          <Box role="group" aria-label={t`Risk score`}>
            <Text size="sm" c="dimmed" fw={550}>
              <Trans>Risk score</Trans>
            </Text>
            <Group gap={8} align="baseline">
              <span className={classes.figure} data-testid="score">
                {score === null ? '–' : fixed(score)}
              </span>
              <Text c="dimmed">
                <Trans>of 100</Trans>
              </Text>
            </Group>
            {score === null ? (
              <Text size="sm">{waitingWords(risk)}</Text>
            ) : (
              <>
                <div className={classes.scale} data-level={bandOf(score)}>
                  <div style={{ width: `${score}%` }} />
                </div>
                <Difference by={differenceOf(score, before, 'score')} unit="points" note={note} />
              </>
            )}
          </Box>
          <Box role="group" aria-label={t`Breach likelihood`}>
            <Text size="sm" c="dimmed" fw={550}>
              <Trans>Breach likelihood</Trans>
            </Text>
            <span className={classes.second}>{probabilityText(breachLikelihood)}</span>
            <Difference
              by={differenceOf(breachLikelihood, before, 'breachLikelihood', 100)}
              unit="percentagePoints"
              note={note}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {chanceWords(risk)}
            </Text>
            <LikelihoodParts of={risk} />
          </Box>
          <Text size="sm" c="dimmed">
            <Trans>
              {scored} of {all} assets scored
              <br />
              Model {model}
            </Trans>
          </Text>
        </Stack>
        <Box flex={1} miw={0}>
          <Trend subject={subject} risk={risk} />
        </Box>
      </Flex>
    </Paper>
  );
}

/** The subject one day ago; null if it did not exist, undefined while it loads. */
function useYesterday(subject: Subject): Risk | null | undefined {
  const asOf = new Date(useMoment() - DAY_MS).toISOString();
  return useRisk(subject, { asOf, isKept: true }).data;
}

/** Null if no earlier value exists; undefined while it loads. */
function differenceOf(
  now: number | null,
  before: Risk | null | undefined,
  value: 'score' | 'breachLikelihood',
  scale = 1,
) {
  if (before === undefined) return undefined;
  const then = before?.[value] ?? null;
  return now === null || then === null ? null : (now - then) * scale;
}

function chanceWords({ likelihood, expectedCompromised }: Risk): string {
  if (!likelihood || !expectedCompromised) {
    return t`Probability that a randomly selected asset is breached within 30 days`;
  }
  const range = percentRange(likelihood);
  const [low, best, high] = [
    countText(expectedCompromised.low),
    countText(expectedCompromised.best),
    countText(expectedCompromised.high),
  ];
  return t`Likelihood that at least one asset is compromised within 30 days, ${range}. Expected compromised assets: ${best} (${low} to ${high}).`;
}

const countText = (count: number): string => number(count, TWO_DIGITS);

const notComparable = (model: string): string => t`not comparable: ${model} on the previous day`;

/** No time: the scorer has processed no asset. */
const waitingWords = ({ at }: Risk): string =>
  at === null
    ? t`The score is being calculated.`
    : t`Not scored. No finding has a valid CVE or ATT&CK technique.`;
