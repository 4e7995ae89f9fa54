import {
  IconBuilding,
  IconClipboardList,
  IconDeviceDesktopCog,
  IconForms,
  IconKey,
  IconMapPin,
  IconShieldHalf,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { lazyAgain } from '../app/lazy-again.tsx';
import type { Role } from '../session/session.ts';

export interface Section {
  /** In the address. */
  id: string;
  title: string;
  purpose: string;
  /** Who may read it: the service refuses everybody else. */
  readers: readonly Role[];
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  Section: ComponentType;
}

const EVERYBODY: readonly Role[] = ['admin', 'analyst', 'viewer'];

export const SECTIONS: readonly Section[] = [
  {
    id: 'policies',
    title: 'Policies',
    purpose: 'How long findings stay, how uploads are taken, and what integrations may reach.',
    readers: EVERYBODY,
    Icon: IconClipboardList,
    Section: lazyAgain(async () => (await import('./policies/policies.tsx')).default),
  },
  {
    id: 'departments',
    title: 'Departments',
    purpose: 'To whom an asset belongs. The default fills what no source has given.',
    readers: EVERYBODY,
    Icon: IconBuilding,
    Section: lazyAgain(async () => (await import('./options/departments.tsx')).default),
  },
  {
    id: 'locations',
    title: 'Locations',
    purpose: 'Where an asset stands. The default fills what no source has given.',
    readers: EVERYBODY,
    Icon: IconMapPin,
    Section: lazyAgain(async () => (await import('./options/locations.tsx')).default),
  },
  {
    id: 'custom-fields',
    title: 'Custom fields',
    purpose:
      'What you want to know of assets beyond the built-in fields. A tag with exactly the field’s name fills it.',
    readers: EVERYBODY,
    Icon: IconForms,
    Section: lazyAgain(async () => (await import('./custom-fields/custom-fields.tsx')).default),
  },
  {
    id: 'os-mapping',
    title: 'OS mapping',
    purpose:
      'Which operating system makes which type of asset, where that type can be attacked, and which findings it supports. The first pattern that matches wins.',
    readers: EVERYBODY,
    Icon: IconDeviceDesktopCog,
    Section: lazyAgain(async () => (await import('./os-mapping/os-mapping.tsx')).default),
  },
  {
    id: 'credentials',
    title: 'Credentials',
    purpose: 'Who may sign in, people and programs alike.',
    readers: ['admin'],
    Icon: IconKey,
    Section: lazyAgain(async () => (await import('./credentials/credentials.tsx')).default),
  },
  {
    id: 'roles',
    title: 'Roles',
    purpose: 'What each role may do. A credential has one, from its creation on.',
    readers: EVERYBODY,
    Icon: IconUsers,
    Section: lazyAgain(async () => (await import('./roles/roles.tsx')).default),
  },
  {
    id: 'audit',
    title: 'Audit trail',
    purpose: 'Every act of a user on settings, credentials, findings, assets and integrations, newest first.',
    readers: ['admin', 'analyst'],
    Icon: IconShieldHalf,
    Section: lazyAgain(async () => (await import('./audit/audit.tsx')).default),
  },
];
