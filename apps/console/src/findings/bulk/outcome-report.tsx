import { Alert, List, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { AppLink } from '../../app/links.tsx';
import { findings } from './meant.tsx';
import type { Outcome } from './perform.ts';

/** What became of an act, in full. */
export function OutcomeReport({ outcome, verb }: { outcome: Outcome; verb: string }) {
  const { done, pending, refused, refusedMore } = outcome;
  const refusals = refused.length + refusedMore;
  return (
    <Stack gap="sm" role="status">
      {done > 0 && (
        <Alert variant="default" icon={<IconCircleCheck aria-hidden />} title={`${findings(done)} ${verb}`}>
          The list shows it already; scores follow.
        </Alert>
      )}
      {pending > 0 && (
        <Alert
          variant="default"
          icon={<IconClock aria-hidden />}
          title={`${findings(pending)} taken, and not shown yet`}
        >
          The service has stored this and is still at work on it: the list will show it by itself.
        </Alert>
      )}
      {refusals > 0 && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle aria-hidden />}
          title={`${findings(refusals)} not ${verb}`}
        >
          <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
            {refused.map(({ id, name, why }) => (
              <List.Item key={id}>
                <AppLink to={`/findings/${id}`}>{name}</AppLink>: {why}
              </List.Item>
            ))}
          </List>
          {refusedMore > 0 && `${refusedMore.toLocaleString()} more are told by the audit trail.`}
        </Alert>
      )}
    </Stack>
  );
}
