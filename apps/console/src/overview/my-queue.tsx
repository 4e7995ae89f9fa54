import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Due } from '../findings/triage/cells.tsx';
import { number } from '../language/format.ts';
import { findings } from '../parts/finding-count.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { Section, Waiting } from '../risk/section.tsx';
import { useSession } from '../session/session.ts';
import { AllOf } from './all-of.tsx';
import { type Finding, FindingLines } from './finding-lines.tsx';

const SHOWN = 6;
/** Findings that still have to be remedied. */
const OPEN = ['Failed', 'NotAssessed'] as ('Failed' | 'NotAssessed')[];
const OPTIONS = { placeholderData: keepPreviousData };

/** Open findings of the user, as assigned or by the owner rules: by due date, then without one by severity. */
export function MyQueue() {
  const me = useSession()?.username ?? '';
  const mine = { assignee: me, state: OPEN };
  const total = useCount(mine);
  const overdue = useCount({ ...mine, sla: 'overdue' });
  const due = useCount({ ...mine, sla: 'due' });
  const dated = useFirst({ ...mine, sort: 'due' });
  const severe = useFirst({ ...mine, sort: '-severity' });
  const address = (query: string) =>
    `/findings?state=${OPEN}&${new URLSearchParams({ assignee: me })}${query}`;
  const all = total.data !== undefined && total.data.total > 0 && (
    <AppLink to={address('&sort=-severity')} size="sm">
      <AllOf count={total.data.total} />
    </AppLink>
  );
  return (
    <Section title={t`My queue`} control={all}>
      <Answered query={total} waiting={<Waiting height={300} />}>
        {(counted) =>
          counted.total === 0 ? (
            <Empty title={t`Nothing to do`}>
              <Trans>No open finding is assigned to you, and no owner rule names you.</Trans>
            </Empty>
          ) : (
            <>
              <Answered query={overdue} waiting={<Waiting height={20} />}>
                {(late) => (
                  <Answered query={due} waiting={<Waiting height={20} />}>
                    {(soon) => (
                      <Text size="sm" mb="xs">
                        <Counts
                          total={counted.total}
                          overdue={late.total}
                          due={soon.total}
                          address={address}
                        />
                      </Text>
                    )}
                  </Answered>
                )}
              </Answered>
              <Answered query={dated} waiting={<Waiting height={250} />}>
                {({ items }) => (
                  <FindingLines
                    label={t`My findings, next due first`}
                    of={firstOf(items, severe.data?.items ?? [])}
                    side={(finding) => (finding.due || finding.sla ? <Due of={finding} /> : t`no due date`)}
                  />
                )}
              </Answered>
            </>
          )
        }
      </Answered>
    </Section>
  );
}

interface CountsProps {
  total: number;
  overdue: number;
  due: number;
  address: (query: string) => string;
}

function Counts({ total, overdue, due, address }: CountsProps) {
  const [overdueText, dueText, rest] = [
    findings(overdue),
    number(due),
    number(Math.max(0, total - overdue - due)),
  ];
  return (
    <Trans>
      <AppLink to={address('&sla=overdue&sort=due')} inherit underline="always">
        {overdueText} overdue
      </AppLink>
      ,{' '}
      <AppLink to={address('&sla=due&sort=due')} inherit underline="always">
        {dueText} due
      </AppLink>
      , {rest} without a due date.
    </Trans>
  );
}

type Query = {
  assignee: string;
  state: typeof OPEN;
  sla?: 'overdue' | 'due';
  sort?: 'due' | '-severity';
};

const useCount = (query: Query) =>
  api.useQuery('get', '/api/v3/findings/counts', { params: { query } }, OPTIONS);

const useFirst = (query: Query) =>
  api.useQuery('get', '/api/v3/findings', { params: { query: { ...query, limit: SHOWN } } }, OPTIONS);

/** A list in the order of due dates has only findings that have one. */
function firstOf(dated: readonly Finding[], severe: readonly Finding[]): Finding[] {
  const shown = new Set(dated.map(({ id }) => id));
  return [...dated, ...severe.filter(({ id, due }) => due === null && !shown.has(id))].slice(0, SHOWN);
}
