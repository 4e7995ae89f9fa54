import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { fullInstant, relativeInstant } from '../parts/instant.tsx';
import { type InstantProblem, useAsOf } from './as-of.ts';

const PROBLEMS: Record<InstantProblem, string> = {
  malformed: 'The time in the address is invalid. The current state is shown.',
  future: 'The time in the address is in the future. The current state is shown.',
};

/** Shown on every page while a past time is displayed, or if the time is invalid. */
export function TimeBanner() {
  const { asOf, problem, set } = useAsOf();
  if (problem !== null)
    return <Banner button={t`Dismiss`} onPress={() => set(null)} text={PROBLEMS[problem]} />;
  if (asOf === null) return null;
  return (
    <Banner
      button={t`Back to now`}
      onPress={() => set(null)}
      text={
        <Trans>
          All data is shown as of <b>{fullInstant(asOf)}</b>, {relativeInstant(asOf)}. Changes are not
          possible.
        </Trans>
      }
    />
  );
}

function Banner({ text, button, onPress }: { text: ReactNode; button: string; onPress: () => void }) {
  return (
    <Alert color="orange" icon={<IconHistory aria-hidden />} mb="md" role="status" py="xs">
      <Group justify="space-between" gap="xs">
        <span>{text}</span>
        <Button size="xs" variant="default" onClick={onPress}>
          {button}
        </Button>
      </Group>
    </Alert>
  );
}
