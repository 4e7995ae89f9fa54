import { Trans } from '@lingui/react/macro';
import { Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { AppLink } from '../app/links.tsx';
import classes from './cards.module.css';
import type { Kind } from './kinds.ts';

/** Card of an integration type that can be added. */
export function AddCard({ kind: { subType, title, imports, Icon } }: { kind: Kind }) {
  return (
    <Paper withBorder p="md" className={classes.card} data-new>
      <Group wrap="nowrap" gap="md" align="flex-start">
        <span className={classes.icon}>
          <Icon size={22} aria-hidden />
        </span>
        <Stack gap={2} flex={1}>
          <AppLink to={`/integrations?add=${subType}`} fw={600} className={classes.link}>
            <Trans>Add {title}</Trans>
          </AppLink>
          <Text size="sm" c="dimmed">
            {imports}
          </Text>
        </Stack>
        <IconPlus size={20} color="var(--mantine-color-dimmed)" aria-hidden />
      </Group>
    </Paper>
  );
}
