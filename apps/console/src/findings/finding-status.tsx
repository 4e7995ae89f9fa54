import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import classes from './finding.module.css';
import { RETIRED_BECAUSE } from './history-words.ts';

type Finding = Api['FindingDto'];

const WHAT_IT_MEANS: Record<Finding['state'], string> = {
  Failed: 'The latest assessment found this issue.',
  Qualified: 'The latest assessment found no problem.',
  NotAssessed: 'The finding is not assessed. The next signal determines its state.',
  AcceptedFailed: 'The risk is accepted. Signals do not change the finding.',
  Retired: 'The finding is no longer active.',
};

/** State of the finding, decisions of users, and whether it counts for the score. */
export function FindingStatus({ finding }: { finding: Finding }) {
  const { state, retiredReason, accepted, heldFailed, counted, notCountedBecause, overdueSince } = finding;
  return (
    <Panel title={t`Status`}>
      <Stack gap="xs" className={classes.reading}>
        <Text size="sm">
          {WHAT_IT_MEANS[state]}
          {retiredReason && ` ${RETIRED_BECAUSE[retiredReason]}`}
        </Text>
        {accepted && <Acceptance accepted={accepted} isInForce={state === 'AcceptedFailed'} />}
        {heldFailed && (
          <Note>
            <Trans>
              Held as Failed by <b>{heldFailed.by}</b>, <Instant at={heldFailed.at} />. Signals do not change
              it until a user ends the hold.
            </Trans>
          </Note>
        )}
        <Text size="sm">
          {counted ? (
            <Trans>
              <b>Counted</b> in the score of its asset.
            </Trans>
          ) : (
            <Trans>
              <b>Not counted</b> in the score: {notCountedBecause}.
            </Trans>
          )}
        </Text>
        {overdueSince && (
          <Note>
            <Trans>
              The source has not reported in time. Overdue since <Instant at={overdueSince} />.
            </Trans>
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
        <Trans>
          Accepted by <b>{accepted.by}</b>, <Instant at={accepted.at} />
          {accepted.until ? (
            <>
              . Ends <Instant at={accepted.until} />
            </>
          ) : (
            ', until it is reverted'
          )}
          {!isInForce && ' (applies again if the finding returns)'}
        </Trans>
      </Text>
      <blockquote className={classes.rationale}>{accepted.rationale}</blockquote>
    </Note>
  );
}

const Note = ({ children }: { children: ReactNode }) => <div className={classes.note}>{children}</div>;
