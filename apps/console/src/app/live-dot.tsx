import { Tooltip } from '@mantine/core';
import type { LiveState } from '../api/live.ts';
import classes from './live-dot.module.css';

const WORDS = {
  live: ['Live', 'The page updates automatically'],
  everyMinute: ['Every minute', 'Your access is limited: the page refreshes every minute.'],
  connecting: ['Connecting …', 'The data may be outdated. Waiting for the service.'],
} as const;

export function LiveDot({ state }: { state: LiveState }) {
  const [label, hint] = WORDS[state];
  return (
    <Tooltip label={hint}>
      <span className={classes.live} data-state={state} role="status">
        <span className={classes.label}>{label}</span>
      </span>
    </Tooltip>
  );
}
