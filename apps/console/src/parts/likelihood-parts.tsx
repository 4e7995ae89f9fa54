import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { probabilityText } from './score.tsx';

type Interval = Api['IntervalDto'];

/**
 * The forecast and the evidence side by side, each with its interval: one detection raises the whole likelihood, which
 * then says nothing about the weaknesses. Nothing with posture-1.
 */
export function LikelihoodParts({ of: { likelihood } }: { of: Pick<Api['AssetScoreDto'], 'likelihood'> }) {
  if (!likelihood) return null;
  const { forecast, evidence } = likelihood;
  return (
    <SimpleGrid component="dl" cols={2} spacing="sm" mt="xs" mb={0} className="numeric">
      <Part name={t`Forecast`} about={t`by weaknesses`} likelihood={forecast} />
      <Part name={t`Evidence`} about={t`by detections`} likelihood={evidence} />
    </SimpleGrid>
  );
}

const PART = { borderInlineStart: '2px solid var(--mantine-color-default-border)', paddingInlineStart: 8 };
const UNBROKEN = { whiteSpace: 'nowrap' } as const;

function Part({ name, about, likelihood: { low, best, high } }: PartProps) {
  const lowest = probabilityText(low);
  const highest = probabilityText(high);
  return (
    <div style={PART}>
      <Text component="dt" size="sm" fw={550}>
        {name}
        <Text span display="block" size="xs" c="dimmed">
          {about}
        </Text>
      </Text>
      <Text component="dd" size="lg" fw={650} m={0}>
        {probabilityText(best)}
        <Text span display="block" size="xs" c="dimmed">
          <Trans>
            <span style={UNBROKEN}>{lowest}</span> to <span style={UNBROKEN}>{highest}</span>
          </Trans>
        </Text>
      </Text>
    </div>
  );
}

interface PartProps {
  name: string;
  about: string;
  likelihood: Interval;
}
