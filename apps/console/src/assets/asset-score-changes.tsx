import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Panel } from '../parts/panel.tsx';
import { SCORE_SETTINGS_ADDRESS, scoreSettingName, scoreSettingWords } from '../parts/score-setting.ts';
import { stateNames } from '../parts/state.tsx';
import { Answered } from '../parts/states.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import { useAsOf } from '../time/as-of.ts';
import { localInput } from '../time/local-input.ts';
import classes from './asset-score.module.css';

type Cause = Api['CauseShareDto'];

const DAY_MS = 86_400_000;
const SINCE = { Day: DAY_MS, Week: 7 * DAY_MS, Month: 30 * DAY_MS } as const;
const CHOSEN = 'Custom';

/** Causes of score changes in a period. */
export function AssetScoreChanges({ id }: { id: string }) {
  const { asOf } = useAsOf();
  const [opened] = useState(Date.now);
  const [since, setSince] = useState<string>(t`Day`);
  const [chosen, setChosen] = useState('');
  const to = asOf === null ? opened : Date.parse(asOf);
  const back = SINCE[since as keyof typeof SINCE];
  const from = back === undefined ? Date.parse(chosen) : to - back;
  const isAskable = from < to;
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
            data={[...Object.keys(SINCE), CHOSEN]}
            value={since}
            onChange={setSince}
            aria-label={t`Period`}
          />
          {since === CHOSEN && (
            <TextInput
              type="datetime-local"
              size="xs"
              aria-label={t`Start time`}
              max={localInput(to)}
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
  if (causes.length === 0 && difference === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>No changes. Score: {scoreWords(to.score)}.</Trans>
      </Text>
    );
  }
  return (
    <div>
      <Text size="sm">
        <Trans>
          From <b>{scoreWords(from.score)}</b> to <b>{scoreWords(to.score)}</b> ({signed(difference)} points)
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
              <Trans>{others.causes.toLocaleString()} smaller causes combined</Trans>
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
            {name}
          </AppLink>
        ) : (
          <b>{name}</b>
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
  if (cause.kind === 'control') return t`Control: ${cause.what}`;
  return cause.kind === 'age' ? t`Detection: ${cause.what}` : inWords(cause.what);
}

const Points = ({ of: share }: { of: number }) => (
  <span className={classes.moved} data-up={share > 0 || undefined} data-down={share < 0 || undefined}>
    {signed(share)}
  </span>
);

const scoreWords = (score: number | null): string => (score === null ? t`no score` : score.toFixed(1));

const signed = (points: number): string =>
  `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points).toFixed(2)}`;

/** Replaces state identifiers of the API with their labels. */
const inWords = (what: string): string =>
  Object.entries(stateNames()).reduce((text, [state, name]) => text.replaceAll(state, name), what);
