import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { ConfigurationFacts } from './configuration-facts.tsx';
import { EditIntegration } from './edit-integration.tsx';
import { EgressNote } from './egress-note.tsx';
import type { Integration } from './kinds.ts';
import { RemoveIntegration } from './remove-integration.tsx';
import { TestSaved } from './test-saved.tsx';

/** The configuration. Admins can change, test and remove it. */
export function Configuration({ integration }: { integration: Integration }) {
  const [edited, setEdited] = useState<Integration | null>(null);
  const mayChange = useMay('integrations:write');
  const { asOf } = useAsOf();
  const isFixed = asOf !== null;
  return (
    <>
      {edited && (
        // Keeps what is typed, also the secret.
        <div hidden={isFixed}>
          <EditIntegration integration={edited} onEnd={() => setEdited(null)} />
        </div>
      )}
      {(!edited || isFixed) && (
        <Stack maw={860}>
          <ConfigurationFacts integration={integration} />
          {mayChange && (
            <>
              <Group justify="flex-end">
                <Button
                  leftSection={<IconPencil size={18} aria-hidden />}
                  disabled={isFixed}
                  onClick={() => setEdited(integration)}
                >
                  <Trans>Edit</Trans>
                </Button>
              </Group>
              <TestSaved integration={integration} isDisabled={isFixed} />
              <EgressNote />
              <RemoveIntegration integration={integration} isDisabled={isFixed} />
            </>
          )}
        </Stack>
      )}
    </>
  );
}
