import { Alert, List, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { AppLink } from '../../app/links.tsx';
import { findings } from '../../parts/finding-count.ts';
import type { Outcome } from './perform.ts';

/**
 * The outcome of an action.
 * @param isScored whether the action changes scores; then the audit trail has every refusal too
 */
export function OutcomeReport({
  outcome,
  verb,
  isScored,
}: {
  outcome: Outcome;
  verb: string;
  isScored: boolean;
}) {
  const { done, pending, unchanged = 0, refused, refusedMore } = outcome;
  const refusals = refused.length + refusedMore;
  return (
    <Stack gap="sm" role="status">
      {done > 0 && (
        <Alert variant="default" icon={<IconCircleCheck aria-hidden />} title={`${findings(done)} ${verb}`}>
          {isScored ? 'The list is up to date. Scores follow.' : 'The list is up to date.'}
        </Alert>
      )}
      {pending > 0 && (
        <Alert variant="default" icon={<IconClock aria-hidden />} title={`${findings(pending)} pending`}>
          The service has stored the request and is processing it. The list updates automatically.
        </Alert>
      )}
      {unchanged > 0 && (
        <Alert
          variant="default"
          icon={<IconCircleCheck aria-hidden />}
          title={`${findings(unchanged)} unchanged`}
        >
          No change was necessary.
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
          {refusedMore > 0 &&
            (isScored
              ? `The audit trail lists ${refusedMore.toLocaleString()} more.`
              : `And ${refusedMore.toLocaleString()} more.`)}
        </Alert>
      )}
    </Stack>
  );
}
