import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import { type Notification, sentenceOf } from './words.ts';

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
  const { findings, findingCount } = notification;
  const [before, after] = sentenceOf(notification);
  const shown = findings.slice(0, SHOWN_MAX);
  const left = findingCount - shown.length;
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {before}{' '}
      {shown.map(({ id, name, assetName }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <AppLink to={`/findings/${id}`} inherit underline="always" onClick={onOpen}>
            {name}
          </AppLink>{' '}
          on {assetName}
        </span>
      ))}
      {left > 0 &&
        (shown.length > 0 ? t` and ${left.toLocaleString()} more` : `${left.toLocaleString()} findings`)}
      {after && ` ${after}`}
    </Text>
  );
}
