import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Api, client, type Failure } from '../../api/client.ts';
import { AppLink } from '../../app/links.tsx';
import { fixed, number } from '../../language/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { probabilityText, Score } from '../../parts/score.tsx';
import { Answered } from '../../parts/states.tsx';
import { Ranked, RankedItem } from '../../risk/ranked.tsx';
import { useMay } from '../../session/session.ts';
import type { Target } from './bulk-act.tsx';
import { withStates } from './bulk-filter.ts';
import { changedAssets } from './changed-assets.ts';
import type { ChosenAct } from './selection-bar.tsx';

const IDS_MAX = 1_000;
const PAGE = 500;
const ASSETS_SHOWN_MAX = 5;

/** The score if the selected findings were fixed, and what to do with them. */
export function WhatIfDialog({
  target,
  onAct,
  onClose,
}: {
  target: Target;
  onAct: (act: ChosenAct) => void;
  onClose: () => void;
}) {
  const mayTriage = useMay('findings:triage');
  const mayAccept = useMay('findings:accept');
  const outcome = useQuery<Api['WhatIfOutcomeDto'] | null, Failure>({
    queryKey: ['what if', target],
    staleTime: 0,
    gcTime: 0,
    meta: { live: false },
    queryFn: async () => {
      const fixed = await idsOf(target);
      if (fixed.length === 0) return null;
      const { data, error } = await client.POST('/api/v3/scores/what-if', { body: { fixed } });
      if (!data) throw error;
      return data;
    },
  });
  const count = target.kind === 'chosen' ? target.findings.length : target.total;
  const next = (of: 'plan' | 'accept') => onAct({ of, target });
  return (
    <Dialog onClose={onClose} title={t`What if they were fixed?`} size="lg">
      <Stack>
        <Text size="sm">
          {count === undefined ? (
            <Trans>The findings that match, fixed at once. Only failed findings change the score.</Trans>
          ) : (
            <Plural
              value={count}
              one="# finding, fixed at once. Only failed findings change the score."
              other="# findings, fixed at once. Only failed findings change the score."
            />
          )}
        </Text>
        <Answered query={outcome}>
          {(found) =>
            found ? (
              <Outcome of={found} />
            ) : (
              <Text size="sm">
                <Trans>No failed finding matches, so the score does not change.</Trans>
              </Text>
            )
          }
        </Answered>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Close</Trans>
          </Button>
          {mayAccept && target.kind === 'chosen' && (
            <Button variant="default" onClick={() => next('accept')}>
              <Trans>Accept …</Trans>
            </Button>
          )}
          {mayTriage && (
            <Button onClick={() => next('plan')}>
              <Trans>Plan …</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Outcome({ of: outcome }: { of: Api['WhatIfOutcomeDto'] }) {
  const { score, scoreAfter, breachLikelihood, breachLikelihoodAfter } = outcome.organization;
  const { shown, others, isAtMost } = changedAssets(outcome, ASSETS_SHOWN_MAX);
  return (
    <>
      <Facts
        of={[
          [t`Score now`, <Score key="now" value={score} />],
          [t`Score after`, <Score key="after" value={scoreAfter} />],
          [
            t`Breach likelihood`,
            <span key="likelihood" dir="ltr">
              {probabilityText(breachLikelihood)} → {probabilityText(breachLikelihoodAfter)}
            </span>,
          ],
        ]}
      />
      <Ranked label={t`Assets, by the change of their score`}>
        {shown.map((asset) => (
          <RankedItem
            key={asset.assetId}
            by={(asset.scoreAfter ?? 0) - (asset.score ?? 0)}
            about={`${points(asset.score)} → ${points(asset.scoreAfter)}`}
          >
            <AppLink to={`/assets/${asset.assetId}`} size="sm">
              <bdi>{asset.name}</bdi>
            </AppLink>
          </RankedItem>
        ))}
      </Ranked>
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {isAtMost ? (
            <Plural
              value={others}
              one="At most # more asset changes."
              other="At most # more assets change."
            />
          ) : (
            <Plural value={others} _1="One more asset changes." other="# more assets change." />
          )}
        </Text>
      )}
    </>
  );
}

const points = (score: number | null): string => (score === null ? t`not scored` : fixed(score));

/** The ids of the selected findings. @throws Failure if more match than the service takes */
async function idsOf(target: Target): Promise<string[]> {
  if (target.kind === 'chosen') return target.findings.map(({ id }) => id);
  // Of a filter without states, the total includes more than failed findings.
  if (target.states && (target.total ?? 0) > IDS_MAX) throw tooMany();
  const ids: string[] = [];
  const filter = withStates(target.filter, target.states ?? ['Failed']);
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, error } = await client.GET('/api/v3/findings', {
      params: {
        query: {
          ...filter,
          limit: PAGE,
          ...(cursor && { cursor }),
        },
      },
    });
    if (!data) throw error;
    ids.push(...data.items.map(({ id }) => id));
    if (ids.length > IDS_MAX) throw tooMany();
    cursor = data.nextCursor;
  }
  return ids;
}

/** As what is not available: a retry does not help. */
function tooMany(): Failure {
  const max = number(IDS_MAX);
  return { statusCode: 409, error: '', message: t`More than ${max} findings match: narrow the filter.` };
}
