import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import classes from './finding.module.css';
import { retiredBecause } from './history-words.ts';

type Finding = Api['FindingDto'];

const meanings = (): Record<Finding['state'], string> => ({
  Failed: t`The latest assessment found this issue.`,
  Qualified: t`The latest assessment found no problem.`,
  NotAssessed: t`The finding is not assessed. The next signal determines its state.`,
  AcceptedFailed: t`The risk is accepted. Signals do not change the finding.`,
  Retired: t`The finding is no longer active.`,
});

/** Why the finding is not in the score, in the order in which the service decides it. */
function whyNotCounted({ state, mappings: { cves, techniques } }: Finding): string {
  if (state === 'Qualified') return t`its latest status is Qualified`;
  if (state === 'NotAssessed') return t`it is not assessed`;
  if (state === 'AcceptedFailed') return t`its failure is accepted`;
  if (state === 'Retired') return t`it is retired`;
  if (cves.length + techniques.length === 0) return t`it has neither a CVE nor an ATT&CK technique`;
  if (techniques.length === 0) {
    return t`no CVE of it is valid: all are Reserved, Disputed, Rejected or ill-formed`;
  }
  return cves.length === 0
    ? t`none of its techniques is valid: a technique must be in the ATT&CK catalogue and not revoked`
    : t`neither a CVE nor a technique of it is valid: a technique must be in the ATT&CK catalogue and not revoked`;
}

/** State of the finding, decisions of users, and whether it counts for the score. */
export function FindingStatus({ finding }: { finding: Finding }) {
  const { state, retiredReason, accepted, heldFailed, counted, overdueSince } = finding;
  const reason = counted ? null : whyNotCounted(finding);
  const holder = heldFailed?.by;
  return (
    <Panel title={t`Status`}>
      <Stack gap="xs" className={classes.reading}>
        <Text size="sm">
          {meanings()[state]}
          {retiredReason && ` ${retiredBecause()[retiredReason]}`}
        </Text>
        {accepted && <Acceptance accepted={accepted} isInForce={state === 'AcceptedFailed'} />}
        {heldFailed && (
          <Note>
            <Trans>
              Held as Failed by <b dir="auto">{holder}</b>, <Instant at={heldFailed.at} />. Signals do not
              change it until a user ends the hold.
            </Trans>
          </Note>
        )}
        <Text size="sm">
          {reason === null ? (
            <Trans>
              <b>Counted</b> in the score of its asset.
            </Trans>
          ) : (
            <Trans>
              <b>Not counted</b> in the score: {reason}.
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
        <AcceptanceText of={accepted} isInForce={isInForce} />
      </Text>
      <blockquote className={classes.rationale} dir="auto">
        {accepted.rationale}
      </blockquote>
    </Note>
  );
}

function AcceptanceText({
  of: { by, at, until },
  isInForce,
}: {
  of: Api['AcceptanceDto'];
  isInForce: boolean;
}) {
  if (until) {
    return isInForce ? (
      <Trans>
        Accepted by <b dir="auto">{by}</b>, <Instant at={at} />. Ends <Instant at={until} />
      </Trans>
    ) : (
      <Trans>
        Accepted by <b dir="auto">{by}</b>, <Instant at={at} />. Ends <Instant at={until} /> (applies again if
        the finding returns)
      </Trans>
    );
  }
  return isInForce ? (
    <Trans>
      Accepted by <b dir="auto">{by}</b>, <Instant at={at} />, until it is reverted
    </Trans>
  ) : (
    <Trans>
      Accepted by <b dir="auto">{by}</b>, <Instant at={at} />, until it is reverted (applies again if the
      finding returns)
    </Trans>
  );
}

const Note = ({ children }: { children: ReactNode }) => <div className={classes.note}>{children}</div>;
