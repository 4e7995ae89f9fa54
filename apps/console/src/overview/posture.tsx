import { Box, Flex, Group, Paper, Stack, Text } from '@mantine/core';
import { type Api, api } from '../api/client.ts';
import { bandOf, percent } from '../parts/score.tsx';
import { Course } from './course.tsx';
import { Difference } from './difference.tsx';
import classes from './posture.module.css';
import { DAY_MS, useMoment } from './use-moment.ts';

type Organization = Api['OrganizationScoreDto'];

const CHANCE_OF = 'that an asset, picked at random, is breached within 30 days';

/** The two figures that stand for the whole organization, what became of them since yesterday, and over time. */
export function Posture({ organization }: { organization: Organization }) {
  const { score, breachLikelihood, assets, scoredAssets } = organization;
  const before = useYesterday();
  return (
    <Paper withBorder p="lg" component="section" aria-label="Posture of the organization">
      <Flex direction={{ base: 'column', md: 'row' }} gap="xl">
        <Stack gap="lg" w={{ md: 250 }} style={{ flexShrink: 0 }}>
          <Box role="group" aria-label="Risk score">
            <Text size="sm" c="dimmed" fw={550}>
              Risk score
            </Text>
            <Group gap={8} align="baseline">
              <span className={classes.figure} data-testid="score">
                {score === null ? '–' : score.toFixed(1)}
              </span>
              <Text c="dimmed">of 100</Text>
            </Group>
            {score === null ? (
              <Text size="sm">{waitingWords(organization)}</Text>
            ) : (
              <>
                <div className={classes.scale} data-level={bandOf(score)}>
                  <div style={{ width: `${score}%` }} />
                </div>
                <Difference by={differenceOf(score, before?.score)} unit="points" />
              </>
            )}
          </Box>
          <Box role="group" aria-label="Breach likelihood">
            <Text size="sm" c="dimmed" fw={550}>
              Breach likelihood
            </Text>
            <span className={classes.second}>{percent(breachLikelihood)}</span>
            <Difference
              by={differenceOf(breachLikelihood, before?.breachLikelihood, 100)}
              unit="percentage points"
            />
            <Text size="xs" c="dimmed" mt={4}>
              {CHANCE_OF}
            </Text>
          </Box>
          <Text size="sm" c="dimmed">
            {scoredAssets.toLocaleString()} of {assets.toLocaleString()} assets scored
          </Text>
        </Stack>
        <Box flex={1} miw={0}>
          <Course organization={organization} />
        </Box>
      </Flex>
    </Paper>
  );
}

/** What the organization was a day before; it stays what it was. */
function useYesterday(): Organization | undefined {
  const asOf = new Date(useMoment() - DAY_MS).toISOString();
  const { data } = api.useQuery(
    'get',
    '/api/v3/scores/organization',
    { params: { query: { asOf } } },
    { staleTime: Number.POSITIVE_INFINITY, meta: { live: false } },
  );
  return data;
}

/** Null where there was nothing to compare with, undefined while that is not known. */
function differenceOf(now: number | null, before: number | null | undefined, scale = 1) {
  if (before === undefined) return undefined;
  return now === null || before === null ? null : (now - before) * scale;
}

const waitingWords = ({ at, assets }: Organization): string =>
  at === null && assets > 0
    ? 'The score is being worked out.'
    : 'Nothing is scored: no finding names a valid CVE or ATT&CK technique.';
