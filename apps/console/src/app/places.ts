import { msg } from '@lingui/core/macro';
import {
  IconBug,
  IconChecklist,
  IconFileUpload,
  IconGauge,
  IconGridDots,
  IconPlugConnected,
  IconServer,
  IconSettings,
  IconSitemap,
} from '@tabler/icons-react';

/** Pages of the navigation. */
export const PLACES = [
  { to: '/', label: msg`Overview`, Icon: IconGauge },
  { to: '/findings', label: msg`Findings`, Icon: IconBug },
  { to: '/plans', label: msg`Plans`, Icon: IconChecklist },
  { to: '/assets', label: msg`Assets`, Icon: IconServer },
  { to: '/groups', label: msg`Groups`, Icon: IconSitemap },
  { to: '/attack-matrix', label: msg`ATT&CK matrix`, Icon: IconGridDots },
  { to: '/uploads', label: msg`Uploads`, Icon: IconFileUpload },
  { to: '/integrations', label: msg`Integrations`, Icon: IconPlugConnected },
  { to: '/settings', label: msg`Settings`, Icon: IconSettings },
] as const;
