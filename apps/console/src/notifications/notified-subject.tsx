import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AppLink } from '../app/links.tsx';
import type { Notification } from './words.ts';

type Subject = NonNullable<Notification['subject']>;

const places: Record<Subject['type'], (id: string) => string> = {
  integration: (id) => `/integrations/${id}`,
  webhook: (id) => `/settings/webhooks?webhook=${id}`,
  reportSchedule: (id) => `/settings/reports?schedule=${id}`,
};

/** A notification about an integration, a webhook or a report schedule as a sentence, with a link to it. */
export function NotifiedSubject({
  kind,
  of: { type, id, name, reason },
  onOpen,
}: {
  kind: Notification['kind'];
  of: Subject;
  onOpen: () => void;
}) {
  const link = (
    <AppLink to={places[type](id)} inherit underline="always" onClick={onOpen}>
      <bdi>{name}</bdi>
    </AppLink>
  );
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {sentenceOf(kind, link)}
      {reason !== null && (
        <Text span size="xs" c="dimmed" display="block" dir="auto">
          {reason}
        </Text>
      )}
    </Text>
  );
}

function sentenceOf(kind: Notification['kind'], name: ReactNode): ReactNode {
  switch (kind) {
    case 'syncFailed':
      return <Trans>The sync of {name} fails</Trans>;
    case 'syncRecovered':
      return <Trans>The sync of {name} works again</Trans>;
    case 'webhookStopped':
      return <Trans>The webhook to {name} was stopped</Trans>;
    case 'reportFailed':
      return <Trans>The scheduled report {name} was not sent</Trans>;
    case 'scheduleStopped':
      return <Trans>The report schedule {name} was stopped</Trans>;
    default:
      return name;
  }
}
