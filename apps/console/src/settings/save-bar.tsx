import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Text } from '@mantine/core';
import classes from './save-bar.module.css';

/** Visible while unsaved changes exist. */
export function SaveBar({
  count,
  isBusy,
  onSave,
  onDiscard,
}: {
  count: number;
  isBusy: boolean;
  onSave: () => void;
  onDiscard: () => void;
}) {
  if (count === 0) return null;
  return (
    <Paper withBorder shadow="md" p="sm" className={classes.bar}>
      <Group justify="space-between">
        <Text size="sm" fw={600} role="status">
          {plural(count, { one: 'One unsaved change', other: '# unsaved changes' })}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard} disabled={isBusy}>
            <Trans>Discard</Trans>
          </Button>
          <Button onClick={onSave} loading={isBusy}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
