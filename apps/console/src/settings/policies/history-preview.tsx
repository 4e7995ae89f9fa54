import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type Api, api, type Failure } from '../../api/client.ts';
import { type FindingType, typeNames } from '../../parts/finding-type.ts';
import { fullInstant } from '../../parts/instant.tsx';
import { sentenceOf } from '../../parts/states.tsx';

/** After the last key, before the service counts. */
const PAUSE_MS = 500;

/** What unsaved days would remove of the history of a finding type. */
export function HistoryPreview({ type, days }: { type: FindingType; days: number }) {
  const [asked] = useDebouncedValue(days, PAUSE_MS);
  const preview = api.useQuery(
    'get',
    '/api/v3/history-retention/preview',
    { params: { query: { type, days: asked } } },
    { retry: false },
  );
  return (
    <Text size="xs" mt={4} role="status">
      <b>{typeNames()[type]}:</b> {previewText(asked === days ? preview.data : undefined, preview.error)}
    </Text>
  );
}

/** Follows the finding type and a colon. */
function previewText(preview: Api['RetentionPreviewDto'] | undefined, error: Failure | null): string {
  if (error) {
    const reason = sentenceOf(error);
    return t`the changes cannot be counted: ${reason}`;
  }
  if (!preview) return t`counting the changes …`;
  const waits =
    preview.waitingFor.length > 0 ? t`Some wait until they are published, delivered and scored.` : '';
  return [countedText(preview), waits, keysText(preview)].filter((text) => text !== '').join(' ');
}

function countedText({ changes, findings, oldest, isComplete }: Api['RetentionPreviewDto']): string {
  if (oldest === null) {
    return isComplete
      ? t`no change would be removed now.`
      : t`there are more than a million old changes of all types: those of this type that would be removed were not counted.`;
  }
  const from = fullInstant(oldest);
  return isComplete
    ? t`at most ${plural(changes, { one: '# change', other: '# changes' })} of ${plural(findings, { one: '# finding', other: '# findings' })} would be removed, the oldest of ${from}.`
    : t`of the first million old changes, at most ${plural(changes, { one: '# change', other: '# changes' })} of ${plural(findings, { one: '# finding', other: '# findings' })} would be removed, the oldest of ${from}. There are more, which were not counted.`;
}

/** No one can read the texts of a destroyed key again. */
const keysText = ({ subjects }: Api['RetentionPreviewDto']): string =>
  subjects === 0
    ? ''
    : plural(subjects, {
        one: 'The key of # deleted user or machine would be destroyed: its texts become unreadable permanently.',
        other:
          'The keys of # deleted users and machines would be destroyed: their texts become unreadable permanently.',
      });
