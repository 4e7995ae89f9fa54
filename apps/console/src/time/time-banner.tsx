import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { fullInstant, relativeInstant } from '../parts/instant.tsx';
import { type InstantProblem, useAsOf } from './as-of.ts';

const PROBLEMS: Record<InstantProblem, MessageDescriptor> = {
  malformed: msg`The time in the address is invalid. The current state is shown.`,
  future: msg`The time in the address is in the future. The current state is shown.`,
};

/** Shown on every page while a past time is displayed, or if the time is invalid. */
export function TimeBanner() {
  const { asOf, problem, set } = useAsOf();
  if (problem !== null)
    return <Banner button={t`Dismiss`} onPress={() => set(null)} text={i18n._(PROBLEMS[problem])} />;
  if (asOf === null) return null;
  const [at, ago] = [fullInstant(asOf), relativeInstant(asOf)];
  return (
    <Banner
      button={t`Back to now`}
      onPress={() => set(null)}
      text={
        <Trans>
          All data is shown as of <b>{at}</b>, {ago}. Changes are not possible.
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
