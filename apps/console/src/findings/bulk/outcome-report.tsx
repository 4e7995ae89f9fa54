import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Stack } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { AppLink } from '../../app/links.tsx';
import { number } from '../../language/format.ts';
import type { OutcomeWords } from './outcome-words.ts';
import type { Outcome } from './perform.ts';

/**
 * The outcome of an action.
 * @param isScored whether the action changes scores; then the audit trail has every refusal too
 */
export function OutcomeReport({
  outcome,
  words,
  isScored,
}: {
  outcome: Outcome;
  words: OutcomeWords;
  isScored: boolean;
}) {
  const { done, pending, unchanged, refused, refusedMore } = outcome;
  const refusals = refused.length + refusedMore;
  const more = number(refusedMore);
  return (
    <Stack gap="sm" role="status">
      {done > 0 && (
        <Alert variant="default" icon={<IconCircleCheck aria-hidden />} title={words.done(done)}>
          {isScored ? t`The list is up to date. Scores follow.` : t`The list is up to date.`}
        </Alert>
      )}
      {pending > 0 && (
        <Alert
          variant="default"
          icon={<IconClock aria-hidden />}
          title={plural(pending, { one: '# finding pending', other: '# findings pending' })}
        >
          <Trans>
            The service has stored the request and is processing it. The list updates automatically.
          </Trans>
        </Alert>
      )}
      {unchanged > 0 && (
        <Alert
          variant="default"
          icon={<IconCircleCheck aria-hidden />}
          title={plural(unchanged, { one: '# finding unchanged', other: '# findings unchanged' })}
        >
          <Trans>No change was necessary.</Trans>
        </Alert>
      )}
      {refusals > 0 && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={words.notDone(refusals)}>
          <FindingList of={refused} />
          {refusedMore > 0 && (isScored ? t`The audit trail lists ${more} more.` : t`And ${more} more.`)}
        </Alert>
      )}
    </Stack>
  );
}

const FindingList = ({ of: findings }: { of: Outcome['refused'] }) => (
  <List size="sm" mah={240} style={{ overflowY: 'auto' }}>
    {findings.map(({ id, name, why }) => (
      <List.Item key={id}>
        <AppLink to={`/findings/${id}`}>
          <bdi>{name}</bdi>
        </AppLink>
        : <bdi>{why}</bdi>
      </List.Item>
    ))}
  </List>
);
