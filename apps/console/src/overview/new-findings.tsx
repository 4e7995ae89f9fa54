import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Divider, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { findings } from '../parts/finding-count.ts';
import { fullInstant, Instant } from '../parts/instant.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useMe } from '../session/use-me.ts';
import { FindingLines } from './finding-lines.tsx';
import { SeverityBars } from './severity-bars.tsx';
import { markSeen, noteVisit, type Since } from './visits.ts';

const TITLE = msg`New since my last visit`;
const SHOWN = 5;

/**
 * Failed findings that became so after the user had last opened the overview, as this browser remembers it. Sources may
 * have seen them before: what is sent at night was not there at the last visit.
 */
export function NewFindings() {
  const me = useMe();
  return me.data ? (
    <SinceVisit key={me.data.id} userId={me.data.id} />
  ) : (
    <Section title={i18n._(TITLE)}>
      <Answered query={me} waiting={<Waiting height={300} />}>
        {() => null}
      </Answered>
    </Section>
  );
}

function SinceVisit({ userId }: { userId: string }) {
  const [since, setSince] = useState<Since>(() => noteVisit(userId, Date.now()));
  const failedAfter = new Date(since.at).toISOString();
  const filter = { state: ['Failed'] as 'Failed'[], failedAfter };
  const counts = api.useQuery(
    'get',
    '/api/v3/findings/counts',
    { params: { query: filter } },
    { placeholderData: keepPreviousData },
  );
  const worst = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: { ...filter, sort: '-severity', limit: SHOWN } } },
    { placeholderData: keepPreviousData },
  );
  const search = `state=Failed&failedAfter=${encodeURIComponent(failedAfter)}`;
  const control = (counts.data?.total ?? 0) > 0 && (
    <Button variant="default" size="xs" onClick={() => setSince(markSeen(userId, Date.now()))}>
      <Trans>Mark as seen</Trans>
    </Button>
  );
  return (
    <Section title={i18n._(TITLE)} control={control}>
      <Answered query={counts} waiting={<Waiting height={300} />}>
        {({ total, severityLevel }) =>
          total === 0 ? (
            <Empty title={t`Nothing new`}>
              <SinceText of={since} />
            </Empty>
          ) : (
            <>
              <Text size="sm" mb="xs">
                <AppLink to={`/findings?${search}&sort=-severity`} inherit underline="always">
                  {findings(total)}
                </AppLink>
                {'. '}
                <SinceText of={since} />
              </Text>
              <Answered query={worst} waiting={<Waiting height={200} />}>
                {({ items }) => (
                  <FindingLines
                    label={t`New findings, most severe first`}
                    of={items}
                    side={({ updatedAt }) => <Instant at={updatedAt} />}
                  />
                )}
              </Answered>
              <Divider my="sm" />
              <SeverityBars counts={severityLevel} search={search} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function SinceText({ of: { at, why } }: { of: Since }) {
  const since = fullInstant(new Date(at).toISOString());
  return (
    <Text span inherit>
      {why === 'visit' ? (
        <Trans>Failed since {since}. Only this browser remembers your last visit.</Trans>
      ) : (
        <Trans>
          Failed in the last 30 days, since {since}. This browser remembers no visit of yours in this time.
        </Trans>
      )}
    </Text>
  );
}
