import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconProgress,
} from '@tabler/icons-react';
import type { Api } from '../api/client.ts';
import classes from './sync-badge.module.css';

const LOOKS = {
  Success: { look: 'good', Icon: IconCircleCheck },
  'In Progress': { look: 'busy', Icon: IconProgress },
  'Partial Success': { look: 'warning', Icon: IconAlertTriangle },
  Error: { look: 'bad', Icon: IconCircleX },
} as const;

/** Status of a sync, with its progress while it runs. */
export function SyncBadge({ sync }: { sync: Api['SyncStateDto'] | null }) {
  const { look, Icon } = sync ? LOOKS[sync.statusName] : ({ look: 'none', Icon: IconCircleDashed } as const);
  return (
    <span className={classes.badge} data-look={look}>
      <Icon size={15} stroke={2.2} aria-hidden />
      {sync ? sync.statusName : t`Never synced`}
      {sync?.statusName === 'In Progress' && ` · ${sync.percent} %`}
    </span>
  );
}

/** The integration cannot be synced until an admin enters the secret again. */
export function IncompleteBadge() {
  return (
    <span className={classes.badge} data-look="warning">
      <Trans>
        <IconAlertTriangle size={15} stroke={2.2} aria-hidden />
        Secret missing
      </Trans>
    </span>
  );
}
