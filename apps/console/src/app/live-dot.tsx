import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import type { LiveState } from '../api/live.ts';
import classes from './live-dot.module.css';

const WORDS: Record<LiveState, [label: MessageDescriptor, hint: MessageDescriptor]> = {
  live: [msg`Live`, msg`The page updates automatically`],
  everyMinute: [msg`Every minute`, msg`Your access is limited: the page refreshes every minute.`],
  crowded: [
    msg`Every minute`,
    msg`Too many pages follow the service: this one refreshes every minute, until it can follow too.`,
  ],
  connecting: [msg`Connecting …`, msg`The data may be outdated. Waiting for the service.`],
};

export function LiveDot({ state }: { state: LiveState }) {
  const [label, hint] = WORDS[state];
  return (
    <Tooltip label={i18n._(hint)}>
      <span className={classes.live} data-state={state} role="status">
        <span className={classes.label}>{i18n._(label)}</span>
      </span>
    </Tooltip>
  );
}
