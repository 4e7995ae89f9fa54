import type { MessageDescriptor } from '@lingui/core';
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
import type { ComponentType } from 'react';
import type { Scope } from '../session/scope.ts';

interface Place {
  to: string;
  label: MessageDescriptor;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Any of them permits what the page is for; undefined: every user may open it. */
  scopes?: readonly Scope[];
}

const PLACES: readonly Place[] = [
  { to: '/', label: msg`Overview`, Icon: IconGauge },
  { to: '/findings', label: msg`Findings`, Icon: IconBug, scopes: ['findings:read'] },
  { to: '/plans', label: msg`Plans`, Icon: IconChecklist, scopes: ['findings:read'] },
  { to: '/assets', label: msg`Assets`, Icon: IconServer, scopes: ['assets:read'] },
  { to: '/groups', label: msg`Groups`, Icon: IconSitemap, scopes: ['scores:read'] },
  { to: '/attack-matrix', label: msg`ATT&CK matrix`, Icon: IconGridDots, scopes: ['findings:read'] },
  { to: '/uploads', label: msg`Uploads`, Icon: IconFileUpload, scopes: ['uploads:read', 'signals:write'] },
  { to: '/integrations', label: msg`Integrations`, Icon: IconPlugConnected, scopes: ['integrations:read'] },
  { to: '/settings', label: msg`Settings`, Icon: IconSettings },
];

/** Pages of the navigation. @param held scopes of the user */
export const placesFor = (held: readonly Scope[]): readonly Place[] =>
  PLACES.filter(({ scopes }) => scopes === undefined || scopes.some((scope) => held.includes(scope)));
