import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import classes from './finding.module.css';
import { RETIRED_BECAUSE } from './history-words.ts';

type Finding = Api['FindingDto'];

const WHAT_IT_MEANS: Record<Finding['state'], string> = {
  Failed: 'It was found, and nothing is known to have removed it.',
  Qualified: 'The latest assessment found nothing to object to.',
  NotAssessed: 'Nobody has assessed it since; the next signal decides.',
  AcceptedFailed: 'The risk is accepted: signals do not change it.',
  Retired: 'It is no longer part of the posture.',
};

/** How the finding stands, by whose word, and whether it counts for the score. */
export function FindingStanding({ finding }: { finding: Finding }) {
  const { state, retiredReason, accepted, heldFailed, counted, notCountedBecause, overdueSince } = finding;
  return (
    <Panel title="How it stands">
      <Stack gap="xs" className={classes.reading}>
        <Text size="sm">
          {WHAT_IT_MEANS[state]}
          {retiredReason && ` ${RETIRED_BECAUSE[retiredReason]}`}
        </Text>
        {accepted && <Acceptance accepted={accepted} isInForce={state === 'AcceptedFailed'} />}
        {heldFailed && (
          <Note>
            Held failed by <b>{heldFailed.by}</b>, <Instant at={heldFailed.at} />: signals do not change it
            until somebody ends the hold.
          </Note>
        )}
        <Text size="sm">
          {counted ? (
            <>
              <b>It counts</b> for the score of its asset.
            </>
          ) : (
            <>
              <b>It does not count</b> for the score: {notCountedBecause}.
            </>
          )}
        </Text>
        {overdueSince && (
          <Note>
            Its source should have reported again by now; it is overdue since <Instant at={overdueSince} />.
          </Note>
        )}
      </Stack>
    </Panel>
  );
}

function Acceptance({ accepted, isInForce }: { accepted: Api['AcceptanceDto']; isInForce: boolean }) {
  return (
    <Note>
      <Text size="sm" component="div">
        Accepted by <b>{accepted.by}</b>, <Instant at={accepted.at} />
        {accepted.until ? (
          <>
            ; it ends <Instant at={accepted.until} />
          </>
        ) : (
          ', until it is reverted'
        )}
        {!isInForce && ' (in force again should it return)'}
      </Text>
      <blockquote className={classes.rationale}>{accepted.rationale}</blockquote>
    </Note>
  );
}

const Note = ({ children }: { children: ReactNode }) => <div className={classes.note}>{children}</div>;
