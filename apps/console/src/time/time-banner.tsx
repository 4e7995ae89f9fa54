import { Alert, Button, Group } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { fullInstant, relativeInstant } from '../parts/instant.tsx';
import { type InstantProblem, useAsOf } from './as-of.ts';

const PROBLEMS: Record<InstantProblem, string> = {
  malformed: 'The instant in the address could not be read, so you see the present.',
  future: 'The instant in the address is still to come, so you see the present.',
};

/** Says on every page that it shows the past, or why it does not. */
export function TimeBanner() {
  const { asOf, problem, set } = useAsOf();
  if (problem !== null) return <Banner button="Dismiss" onPress={() => set(null)} text={PROBLEMS[problem]} />;
  if (asOf === null) return null;
  return (
    <Banner
      button="Back to now"
      onPress={() => set(null)}
      text={
        <>
          You see everything as of <b>{fullInstant(asOf)}</b>, {relativeInstant(asOf)}. Nothing can be changed
          in the past.
        </>
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
