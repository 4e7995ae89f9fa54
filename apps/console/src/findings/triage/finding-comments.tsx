import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { PAGES } from '../../api/pages.ts';
import { retryableLazy } from '../../app/retryable-lazy.tsx';
import { draftOf, keepDraft } from '../../parts/drafts.ts';
import { Instant } from '../../parts/instant.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failed } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { formErrorsOf } from '../../settings/act.ts';
import { useAsOf } from '../../time/as-of.ts';
import { ActFailed } from '../act-failed.tsx';
import { COMMENT } from './acts.ts';
import classes from './triage.module.css';
import { useTriage, whyRefused } from './triage-act.ts';

const AT_ONCE = 50;

// Only pages with comments load it.
const Markdown = retryableLazy(async () => (await import('../../parts/markdown.tsx')).Markdown);

/** Comments on a finding, oldest first, and the form for the next one. */
export function FindingComments({ finding }: { finding: Api['FindingDto'] }) {
  const { asOf, query } = useAsOf();
  const mayTriage = useMay('findings:triage') && asOf === null && finding.state !== 'Retired';
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = api.useInfiniteQuery(
    'get',
    '/api/v3/findings/{id}/comments',
    { params: { path: { id: finding.id }, query: { ...query, limit: AT_ONCE } } },
    PAGES,
  );
  const comments = data?.pages.flatMap(({ items }) => items) ?? [];
  /** A sent comment is the last one. */
  const showLast = async () => {
    let list = await refetch({ cancelRefetch: false });
    while (!list.isError && list.data?.pages.at(-1)?.nextCursor) list = await fetchNextPage();
  };
  return (
    <Panel title={t`Comments`}>
      <Stack>
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={60} />}
        {data && comments.length === 0 && (
          <Text size="sm" c="dimmed">
            <Trans>No comments.</Trans>
          </Text>
        )}
        <ol className={classes.comments} aria-label={t`Comments`}>
          {comments.map(({ id, at, by, text, mentions }) => (
            <li key={id} className={classes.comment}>
              <Text size="xs" c="dimmed" mb={4}>
                <b dir="auto">{by ?? t({ message: 'unknown', context: 'user' })}</b>, <Instant at={at} />
              </Text>
              <Suspense
                fallback={
                  <div className={classes.plain} dir="auto">
                    {text}
                  </div>
                }
              >
                <Markdown text={text} mentions={mentions} />
              </Suspense>
            </li>
          ))}
        </ol>
        {hasNextPage && (
          <Group>
            <Button
              variant="default"
              size="xs"
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              <Trans>Show later comments</Trans>
            </Button>
          </Group>
        )}
        {mayTriage && <NewComment findingId={finding.id} onSent={() => void showLast()} />}
      </Stack>
    </Panel>
  );
}

function NewComment({ findingId, onSent }: { findingId: string; onSent: () => void }) {
  const triage = useTriage();
  // Counts the comments sent: the next one begins empty.
  const [sent, setSent] = useState(0);
  const draft = `${COMMENT.name} ${findingId}`;
  const { fields, general } = formErrorsOf(triage.error, (path) => path === 'comments.text');
  const refused = triage.data?.refused[0];
  const why = refused ? whyRefused(refused.reason) : '';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = COMMENT.bodyOf(new FormData(event.currentTarget));
    const outcome = await triage.mutateAsync({ ids: [findingId], ...body }).catch(() => null);
    if (outcome === null || outcome.refused.length > 0) return;
    onSent();
    // What was typed since stays.
    if (draftOf(draft).trim() !== body.comments?.text) return;
    keepDraft(draft, '');
    setSent(sent + 1);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="xs">
        <COMMENT.Fields key={sent} draft={draft} errors={fields} />
        {triage.error && general && <ActFailed error={triage.error}>{general}</ActFailed>}
        {refused && (
          <Text size="sm" role="alert" c="red">
            <Trans>Rejected by the service: {why}.</Trans>
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={triage.isPending}>
            {COMMENT.label()}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
