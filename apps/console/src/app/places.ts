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
  { to: '/', label: 'Overview', Icon: IconGauge },
  { to: '/findings', label: 'Findings', Icon: IconBug },
  { to: '/plans', label: 'Plans', Icon: IconChecklist },
  { to: '/assets', label: 'Assets', Icon: IconServer },
  { to: '/groups', label: 'Groups', Icon: IconSitemap },
  { to: '/attack-matrix', label: 'ATT&CK matrix', Icon: IconGridDots },
  { to: '/uploads', label: 'Uploads', Icon: IconFileUpload },
  { to: '/integrations', label: 'Integrations', Icon: IconPlugConnected },
  { to: '/settings', label: 'Settings', Icon: IconSettings },
] as const;
