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
          {count === 1 ? 'One unsaved change' : `${count.toLocaleString()} unsaved changes`}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          <Button onClick={onSave} loading={isBusy}>
            Save
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
