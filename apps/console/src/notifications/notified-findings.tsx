import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { AppLink } from '../app/links.tsx';
import { listParts } from '../language/format.ts';
import { findings as findingsText } from '../parts/finding-count.ts';
import type { Notification } from './words.ts';

/** Of one notification; the number of the others follows. */
const SHOWN_MAX = 3;

/** A notification as a sentence, with links to its first findings. */
export function NotifiedFindings({
  notification,
  onOpen,
}: {
  notification: Notification;
  onOpen: () => void;
}) {
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {sentenceOf(notification, <FindingLinks notification={notification} onOpen={onOpen} />)}
    </Text>
  );
}

function sentenceOf({ kind, by }: Notification, findings: ReactNode): ReactNode {
  const user = by === null ? t`A user` : <bdi>{by}</bdi>;
  switch (kind) {
    case 'mentioned':
      return (
        <Trans>
          {user} mentioned you in a comment on {findings}
        </Trans>
      );
    case 'assigned':
      return (
        <Trans>
          {user} assigned to you or a team that you follow: {findings}
        </Trans>
      );
    case 'commented':
      return (
        <Trans>
          {user} commented on {findings}
        </Trans>
      );
    case 'overdue':
      return <Trans>Overdue: {findings}</Trans>;
    case 'dueSoon':
      return <Trans>Due within 7 days: {findings}</Trans>;
    case 'acceptanceEnding':
      return <Trans>The acceptance of {findings} ends within 7 days</Trans>;
    default:
      return findings;
  }
}

function FindingLinks({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { findings, findingCount } = notification;
  const shown = findings.slice(0, SHOWN_MAX);
  if (shown.length === 0) return findingsText(findingCount);
  const left = findingCount - shown.length;
  const links = listParts(shown.map(({ id }) => id)).map(({ type, value }, i) => {
    const finding = type === 'element' && shown.find(({ id }) => id === value);
    // biome-ignore lint/suspicious/noArrayIndexKey: the order does not change
    return <Fragment key={i}>{finding ? <FindingLink of={finding} onOpen={onOpen} /> : value}</Fragment>;
  });
  if (left <= 0) return links;
  return (
    <Trans>
      {links} and <Plural value={left} one="# more" other="# more" />
    </Trans>
  );
}

function FindingLink({
  of: { id, name, assetName },
  onOpen,
}: {
  of: Notification['findings'][number];
  onOpen: () => void;
}) {
  const link = (
    <AppLink to={`/findings/${id}`} inherit underline="always" onClick={onOpen}>
      <bdi>{name}</bdi>
    </AppLink>
  );
  const asset = <bdi>{assetName}</bdi>;
  return (
    <Trans>
      {link} on {asset}
    </Trans>
  );
}
