import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { fixed } from '../language/format.ts';
import { fullInstant } from '../parts/instant.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { causeAddress, causeName, causeWords } from './cause-words.ts';
import { groupQuery, type Subject } from './group.ts';
import { Ranked, RankedItem } from './ranked.tsx';
import { isOutdated, RECOUNT_MS, Recount } from './recount.tsx';
import { Section, Waiting } from './section.tsx';
import { signed } from './signed.ts';
import { DAY_MS, useMoment } from './use-moment.ts';

type Explanation = Api['ExplanationDto'];

const SHOWN_MAX = 10;

/** Causes of score changes since the previous day. @param score the current score */
export function ScoreChanges({ subject, score }: { subject: Subject; score: number | null }) {
  const { asOf } = useAsOf();
  const from = new Date(useMoment() - DAY_MS).toISOString();
  const explanation = api.useQuery(
    'get',
    '/api/v3/scores/organization/explain',
    {
      params: {
        query: { ...groupQuery(subject), from, limit: SHOWN_MAX, ...(asOf !== null && { to: asOf }) },
      },
    },
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => isOutdated(state.data?.to.score, score) && RECOUNT_MS,
    },
  );
  const { data, isFetching, isPlaceholderData, refetch } = explanation;
  return (
    <Section title={asOf === null ? t`Score changes since yesterday` : t`Score changes in the previous day`}>
      {!isPlaceholderData && isOutdated(data?.to.score, score) && (
        <Recount onNow={() => void refetch()} isBusy={isFetching} />
      )}
      <Answered query={explanation} waiting={<Waiting height={460} />}>
        {(explained) => <Causes of={explained} />}
      </Answered>
    </Section>
  );
}

function Causes({ of: { from, to, difference, causes, others } }: { of: Explanation }) {
  const [before, after, change] = [pointsOf(from), pointsOf(to), signed(difference)];
  const since = fullInstant(from.at);
  if (causes.length === 0)
    return (
      <Empty title={t`No changes`}>
        <Trans>
          No finding, control, acceptance, catalogue, rating or setting has changed the score since {since}.
        </Trans>
      </Empty>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        <Trans>
          From {before} to {after} ({change} points):
        </Trans>
      </Text>
      <Ranked label={t`Causes, largest first`}>
        {causes.map((cause) => (
          <RankedItem
            key={`${cause.kind} ${cause.id} ${cause.what} ${cause.share}`}
            by={cause.share}
            about={aboutOf(cause)}
          >
            <AppLink to={causeAddress(cause, from.at)} size="sm" fw={550}>
              {causeName(cause)}
            </AppLink>
          </RankedItem>
        ))}
        {others.causes > 0 && (
          <RankedItem by={others.share}>
            <Text size="sm" component="span">
              <Plural value={others.causes} one="# other cause" other="# other causes" />
            </Text>
          </RankedItem>
        )}
      </Ranked>
    </>
  );
}

const pointsOf = ({ score }: Api['MovedScoreDto']): string =>
  score === null ? t`no score` : fixed(score, 2);

/** The reason, with the asset unless the link already names it. */
const aboutOf = (cause: Api['CauseShareDto']): string =>
  cause.name !== null && cause.assetName !== null
    ? `${causeWords(cause)} · ${cause.assetName}`
    : causeWords(cause);
