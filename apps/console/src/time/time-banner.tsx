import { Alert, Button, Group } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { fullInstant } from '../parts/instant.tsx';
import { useAsOf } from './as-of.ts';

/** Says on every page that it shows the past. */
export function TimeBanner() {
  const { asOf, set } = useAsOf();
  if (asOf === null) return null;
  return (
    <Alert color="orange" icon={<IconHistory aria-hidden />} mb="md" role="status">
      <Group justify="space-between">
        <span>
          You see everything as of <b>{fullInstant(asOf)}</b>. Nothing can be changed in the past.
        </span>
        <Button size="xs" variant="default" onClick={() => set(null)}>
          Back to now
        </Button>
      </Group>
    </Alert>
  );
}
