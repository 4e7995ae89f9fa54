import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconProgress,
} from '@tabler/icons-react';
import type { Api } from '../api/client.ts';
import { percent } from '../language/format.ts';
import classes from './sync-badge.module.css';

const LOOKS = {
  Success: { word: msg`Success`, look: 'good', Icon: IconCircleCheck },
  'In Progress': { word: msg`In Progress`, look: 'busy', Icon: IconProgress },
  'Partial Success': { word: msg`Partial Success`, look: 'warning', Icon: IconAlertTriangle },
  Error: { word: msg`Error`, look: 'bad', Icon: IconCircleX },
} as const;

const NEVER = { word: msg`Never synced`, look: 'none', Icon: IconCircleDashed } as const;

/** Status of a sync, with its progress while it runs. */
export function SyncBadge({ sync }: { sync: Api['SyncStateDto'] | null }) {
  const { word, look, Icon } = sync ? LOOKS[sync.statusName] : NEVER;
  return (
    <span className={classes.badge} data-look={look}>
      <Icon size={15} stroke={2.2} aria-hidden />
      {i18n._(word)}
      {sync?.statusName === 'In Progress' && ` · ${percent(sync.percent / 100)}`}
    </span>
  );
}

/** The integration cannot be synced until an admin enters the secret again. */
export function IncompleteBadge() {
  return (
    <span className={classes.badge} data-look="warning">
      <IconAlertTriangle size={15} stroke={2.2} aria-hidden />
      <Trans>Secret missing</Trans>
    </span>
  );
}
