import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon } from '@mantine/core';
import { IconArrowRight, IconCheck, IconCopy } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { fullInstant, Instant } from '../parts/instant.tsx';
import { type FindingState, State } from '../parts/state.tsx';
import { copyWords, useCopy } from '../parts/use-copy.ts';
import { FindingChanges } from './finding-changes.tsx';
import classes from './finding-history.module.css';
import { reasonOf, titleOf } from './history-words.ts';
import { StepCause } from './step-cause.tsx';

type Step = Api['HistoryItemDto'];

/** One change with its time, reason, cause and log position. */
export function FindingStep({ id, step }: { id: string; step: Step }) {
  const { at, from, to } = step;
  const reason = reasonOf(step);
  return (
    <li className={classes.step} data-to={to}>
      <div className={classes.line}>
        <b>{titleOf(step)}</b>
        {from !== to && (
          <>
            {from !== null && (
              <>
                <State of={from as FindingState} />
                <IconArrowRight
                  size={14}
                  aria-label={t({ message: 'to', context: 'from one state to another' })}
                  className="mirrored"
                />
              </>
            )}
            <State of={to as FindingState} />
          </>
        )}
      </div>
      <div className={classes.minor}>
        <Instant at={at} /> · {fullInstant(at)} · <StepCause cause={step.cause} />
      </div>
      {reason && <div>{reason}</div>}
      <FindingChanges step={step} />
      <div className={classes.foot}>
        <AppLink to={`/findings/${id}?asOf=${at}`} size="xs" underline="always">
          <Trans>Show at this time</Trans>
        </AppLink>
        <Position of={step.position} />
      </div>
    </li>
  );
}

/** Topic, partition and offset of the event, for `posture` and Kafka tools. */
function Position({ of: { topic, partition, offset } }: { of: Step['position'] }) {
  const { shown, outcome, copy } = useCopy<HTMLSpanElement>();
  return (
    <span className={classes.position}>
      <span ref={shown} dir="ltr" title={t`Topic, partition and offset in the log`}>
        {`${topic}/${partition}/${offset}`}
      </span>
      <ActionIcon
        variant="subtle"
        size="sm"
        color="gray"
        onClick={copy}
        aria-label={outcome ? copyWords()[outcome] : t`Copy the position in the log`}
      >
        {outcome === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      </ActionIcon>
    </span>
  );
}
