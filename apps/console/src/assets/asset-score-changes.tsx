import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { fixed } from '../language/format.ts';
import { Panel } from '../parts/panel.tsx';
import { SCORE_SETTINGS_ADDRESS, scoreSettingName, scoreSettingWords } from '../parts/score-setting.ts';
import { withStateNames } from '../parts/state.tsx';
import { Answered } from '../parts/states.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import { signed } from '../risk/signed.ts';
import { useMoment } from '../risk/use-moment.ts';
import { useAsOf } from '../time/as-of.ts';
import { localInput, ownZoneNote } from '../time/local-input.ts';
import classes from './asset-score.module.css';

type Cause = Api['CauseShareDto'];

const DAY_MS = 86_400_000;
const SINCE = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

type Since = keyof typeof SINCE | 'chosen';

const sinceOptions = (): { value: Since; label: string }[] => [
  { value: 'day', label: t`Day` },
  { value: 'week', label: t`Week` },
  { value: 'month', label: t`Month` },
  { value: 'chosen', label: t({ message: 'Custom', context: 'period' }) },
];

/** Causes of score changes in a period. */
export function AssetScoreChanges({ id }: { id: string }) {
  const { asOf } = useAsOf();
  const [since, setSince] = useState<Since>('day');
  const [chosen, setChosen] = useState('');
  const to = useMoment();
  const from = since === 'chosen' ? Date.parse(chosen) : to - SINCE[since];
  const end = asOf === null ? Date.now() : to;
  const isAskable = from < end;
  const query = api.useQuery(
    'get',
    '/api/v3/assets/{id}/score/explain',
    {
      params: {
        path: { id },
        query: { from: new Date(isAskable ? from : to).toISOString(), ...(asOf && { to: asOf }) },
      },
    },
    { placeholderData: keepPreviousData, enabled: isAskable },
  );
  return (
    <Panel title={t`Score changes`}>
      <Stack gap="sm">
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            data={sinceOptions()}
            value={since}
            onChange={(value) => setSince(value as Since)}
            aria-label={t`Period`}
          />
          {since === 'chosen' && (
            <TextInput
              type="datetime-local"
              size="xs"
              aria-label={t`Start time`}
              description={ownZoneNote()}
              max={localInput(end)}
              value={chosen}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
              error={chosen !== '' && !isAskable && t`The start time must be before the displayed time.`}
            />
          )}
        </Group>
        {isAskable && (
          <Answered query={query} waiting={<Skeleton height={80} />}>
            {(explanation) => <Changes explanation={explanation} />}
          </Answered>
        )}
      </Stack>
    </Panel>
  );
}

function Changes({
  explanation: { from, to, difference, causes, others },
}: {
  explanation: Api['ExplanationDto'];
}) {
  const { shown, more } = useShownPart(causes, 6);
  const before = scoreWords(from.score);
  const after = scoreWords(to.score);
  const points = signed(difference);
  if (causes.length === 0 && difference === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>No changes. Score: {after}.</Trans>
      </Text>
    );
  }
  return (
    <div>
      <Text size="sm">
        <Trans>
          From <b>{before}</b> to <b>{after}</b> ({points} points)
        </Trans>
      </Text>
      <ul className={classes.moves} aria-label={t`Score changes`}>
        {shown.map((cause) => (
          <Change key={`${cause.kind}/${cause.id}/${cause.what}/${cause.share}`} cause={cause} />
        ))}
        {others.causes > 0 && (
          <li>
            <Points of={others.share} />
            <span>
              <Plural
                value={others.causes}
                one="# smaller cause combined"
                other="# smaller causes combined"
              />
            </span>
          </li>
        )}
      </ul>
      {more}
    </div>
  );
}

function Change({ cause }: { cause: Cause }) {
  const address = addressOf(cause);
  const name = nameOf(cause);
  return (
    <li>
      <Points of={cause.share} />
      <span>
        {address ? (
          <AppLink to={address} inherit underline="always">
            <bdi>{name}</bdi>
          </AppLink>
        ) : (
          <b dir="auto">{name}</b>
        )}
        <Text size="xs" c="dimmed">
          {wordsOf(cause)}
        </Text>
      </span>
    </li>
  );
}

/** Where a cause is shown; null for what this page is about, and for catalogues. */
function addressOf({ kind, id, assetId }: Cause): string | null {
  if (kind === 'setting') return SCORE_SETTINGS_ADDRESS;
  return kind === 'catalogue' || id === assetId ? null : `/findings/${id}`;
}

function nameOf({ kind, id, assetId, name }: Cause): string {
  if (kind === 'setting') return scoreSettingName(id);
  if (kind === 'catalogue') return id;
  return id === assetId ? t`Asset` : (name ?? t`Finding`);
}

function wordsOf(cause: Cause): string {
  if (cause.kind === 'setting') return scoreSettingWords(cause);
  const { kind, what } = cause;
  if (kind === 'control') return t`Control: ${what}`;
  return kind === 'age' ? t`Detection: ${what}` : withStateNames(what);
}

const Points = ({ of: share }: { of: number }) => (
  <span
    className={classes.moved}
    data-up={share > 0 || undefined}
    data-down={share < 0 || undefined}
    dir="ltr"
  >
    {signed(share)}
  </span>
);

/** With two decimals, as the points between them. */
const scoreWords = (score: number | null): string => (score === null ? t`no score` : fixed(score, 2));
