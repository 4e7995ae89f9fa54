import { Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Panel } from '../parts/panel.tsx';
import { STATE_NAMES } from '../parts/state.tsx';
import { Answered } from '../parts/states.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import { useAsOf } from '../time/as-of.ts';
import { localInput } from '../time/local-input.ts';
import classes from './asset-score.module.css';

const DAY_MS = 86_400_000;
const SINCE = { 'A day': DAY_MS, 'A week': 7 * DAY_MS, 'A month': 30 * DAY_MS } as const;
const CHOSEN = 'An instant';

/** What moved the score since yesterday, or since a chosen instant. */
export function AssetMoves({ id }: { id: string }) {
  const { asOf } = useAsOf();
  const [opened] = useState(Date.now);
  const [since, setSince] = useState<string>('A day');
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
    <Panel title="What moved it">
      <Stack gap="sm">
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            data={[...Object.keys(SINCE), CHOSEN]}
            value={since}
            onChange={setSince}
            aria-label="Since when"
          />
          {since === CHOSEN && (
            <TextInput
              type="datetime-local"
              size="xs"
              aria-label="Since this instant"
              max={localInput(to)}
              value={chosen}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
              error={chosen !== '' && !isAskable && 'It must lie before what is shown.'}
            />
          )}
        </Group>
        {isAskable && (
          <Answered query={query} waiting={<Skeleton height={80} />}>
            {(explanation) => <Moves explanation={explanation} />}
          </Answered>
        )}
      </Stack>
    </Panel>
  );
}

function Moves({
  explanation: { from, to, difference, causes, others },
}: {
  explanation: Api['ExplanationDto'];
}) {
  const { shown, more } = useShownPart(causes, 6);
  if (causes.length === 0 && difference === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing moved it: it stayed at {scoreWords(to.score)}.
      </Text>
    );
  }
  return (
    <div>
      <Text size="sm">
        From <b>{scoreWords(from.score)}</b> to <b>{scoreWords(to.score)}</b> ({signed(difference)} points)
      </Text>
      <ul className={classes.moves} aria-label="What moved it">
        {shown.map((cause) => (
          <Move key={`${cause.kind}/${cause.id}`} cause={cause} />
        ))}
        {others.causes > 0 && (
          <li>
            <Points of={others.share} />
            <span>{others.causes.toLocaleString()} smaller causes together</span>
          </li>
        )}
      </ul>
      {more}
    </div>
  );
}

function Move({ cause: { kind, id, name, what, share } }: { cause: Api['CauseShareDto'] }) {
  const isFinding = kind === 'finding' || kind === 'acceptance';
  return (
    <li>
      <Points of={share} />
      <span>
        {isFinding ? (
          <AppLink to={`/findings/${id}`} inherit underline="always">
            {name ?? 'A finding'}
          </AppLink>
        ) : (
          <b>{kind === 'catalogue' ? id : 'The asset'}</b>
        )}
        <Text size="xs" c="dimmed">
          {inWords(what)}
        </Text>
      </span>
    </li>
  );
}

const Points = ({ of: share }: { of: number }) => (
  <span className={classes.moved} data-up={share > 0 || undefined} data-down={share < 0 || undefined}>
    {signed(share)}
  </span>
);

const scoreWords = (score: number | null): string => (score === null ? 'no score' : score.toFixed(1));

const signed = (points: number): string =>
  `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points).toFixed(2)}`;

/** The interface names states as one word. */
const inWords = (what: string): string =>
  Object.entries(STATE_NAMES).reduce((text, [state, name]) => text.replaceAll(state, name), what);
