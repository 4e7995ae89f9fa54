import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconApi,
  IconBell,
  IconBuilding,
  IconCalendarDue,
  IconClipboardList,
  IconCoins,
  IconDeviceDesktopCog,
  IconDeviceMobileCode,
  IconDevices,
  IconEraser,
  IconForms,
  IconKey,
  IconLogin2,
  IconMailShare,
  IconMapPin,
  IconShieldHalf,
  IconUser,
  IconUserCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import type { Scope } from '../session/scope.ts';
import { SECTION_SCOPES } from './section-scopes.ts';

export interface Section {
  /** Part of the address. */
  id: string;
  title: MessageDescriptor;
  purpose: MessageDescriptor;
  /** Required to read it, as enforced by the service; null: none. */
  scope: Scope | null;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  Section: ComponentType;
}

export const SECTIONS: readonly Section[] = [
  {
    id: 'policies',
    title: msg`Policies`,
    purpose: msg`Retention of findings, limits of uploads, and network access of integrations.`,
    scope: SECTION_SCOPES.policies,
    Icon: IconClipboardList,
    Section: retryableLazy(async () => (await import('./policies/policies.tsx')).default),
  },
  {
    id: 'sla',
    title: msg`SLA`,
    purpose: msg`Days within which failed findings are to be remedied. The service derives due dates from them. Without an SLA, only users set due dates.`,
    scope: SECTION_SCOPES.sla,
    Icon: IconCalendarDue,
    Section: retryableLazy(async () => (await import('./sla/sla.tsx')).default),
  },
  {
    id: 'loss',
    title: msg`Loss ranges`,
    purpose: msg`Losses from one compromised asset. From them, the service simulates the expected loss of a year and ranks fixes by the loss that they avoid. Without ranges, no amounts are shown.`,
    scope: SECTION_SCOPES.loss,
    Icon: IconCoins,
    Section: retryableLazy(async () => (await import('./loss/loss.tsx')).default),
  },
  {
    id: 'departments',
    title: msg`Departments`,
    purpose: msg`Owners of assets. The default applies if no source provides a department.`,
    scope: SECTION_SCOPES.departments,
    Icon: IconBuilding,
    Section: retryableLazy(async () => (await import('./options/departments.tsx')).default),
  },
  {
    id: 'locations',
    title: msg`Locations`,
    purpose: msg`Locations of assets. The default applies if no source provides a location.`,
    scope: SECTION_SCOPES.locations,
    Icon: IconMapPin,
    Section: retryableLazy(async () => (await import('./options/locations.tsx')).default),
  },
  {
    id: 'custom-fields',
    title: msg`Custom fields`,
    purpose: msg`Additional fields of assets. A tag with exactly the name of the field sets its value.`,
    scope: SECTION_SCOPES['custom-fields'],
    Icon: IconForms,
    Section: retryableLazy(async () => (await import('./custom-fields/custom-fields.tsx')).default),
  },
  {
    id: 'os-mapping',
    title: msg`OS mapping`,
    purpose: msg`Maps operating systems to an asset type, an attack surface and supported finding types. The first matching pattern applies.`,
    scope: SECTION_SCOPES['os-mapping'],
    Icon: IconDeviceDesktopCog,
    Section: retryableLazy(async () => (await import('./os-mapping/os-mapping.tsx')).default),
  },
  {
    id: 'owner-rules',
    title: msg`Owner rules`,
    purpose: msg`Give assets an owner by department, location and tags. The first matching rule applies. The owner is the assignee of all findings of the asset that no user has assigned.`,
    scope: SECTION_SCOPES['owner-rules'],
    Icon: IconUserCheck,
    Section: retryableLazy(async () => (await import('./owner-rules/owner-rules.tsx')).default),
  },
  {
    id: 'sessions',
    title: msg`Sessions`,
    purpose: msg`Browsers in which you are signed in. If you do not recognize one, end it and change your password.`,
    scope: SECTION_SCOPES.sessions,
    Icon: IconDevices,
    Section: retryableLazy(async () => (await import('./sessions/sessions.tsx')).default),
  },
  {
    id: 'second-factor',
    title: msg`Second factor`,
    purpose: msg`A code of an app on your phone, which you need besides your password to sign in.`,
    scope: SECTION_SCOPES['second-factor'],
    Icon: IconDeviceMobileCode,
    Section: retryableLazy(async () => (await import('./second-factor/second-factor.tsx')).default),
  },
  {
    id: 'credentials',
    title: msg`Credentials`,
    purpose: msg`Accounts of people and programs that can sign in.`,
    scope: SECTION_SCOPES.credentials,
    Icon: IconKey,
    Section: retryableLazy(async () => (await import('./credentials/credentials.tsx')).default),
  },
  {
    id: 'users',
    title: msg`Users`,
    purpose: msg`People who sign in with an identity provider. Their groups at the provider decide what they may do.`,
    scope: SECTION_SCOPES.users,
    Icon: IconUser,
    Section: retryableLazy(async () => (await import('./users/users.tsx')).default),
  },
  {
    id: 'identity-providers',
    title: msg`Identity providers`,
    purpose: msg`Where people sign in with their own account, by OpenID Connect, and what the groups there permit them here.`,
    scope: SECTION_SCOPES['identity-providers'],
    Icon: IconLogin2,
    Section: retryableLazy(async () => (await import('./identity-providers/identity-providers.tsx')).default),
  },
  {
    id: 'api-tokens',
    title: msg`API tokens`,
    purpose: msg`Long-lived tokens of programs, such as scanners and CI jobs. A token has only its scopes. Programs send it as a bearer token.`,
    scope: SECTION_SCOPES['api-tokens'],
    Icon: IconApi,
    Section: retryableLazy(async () => (await import('./api-tokens/api-tokens.tsx')).default),
  },
  {
    id: 'webhooks',
    title: msg`Webhooks`,
    purpose: msg`Addresses that receive the changes of findings, assets and scores. The service repeats each delivery until the receiver accepts it.`,
    scope: SECTION_SCOPES.webhooks,
    Icon: IconWebhook,
    Section: retryableLazy(async () => (await import('./webhooks/webhooks.tsx')).default),
  },
  {
    id: 'reports',
    title: msg`Scheduled reports`,
    purpose: msg`Reports that the service sends at times of a calendar, by e-mail and to webhooks. Each contains what its owner may see.`,
    scope: SECTION_SCOPES.reports,
    Icon: IconMailShare,
    Section: retryableLazy(async () => (await import('./reports/report-schedules.tsx')).default),
  },
  {
    id: 'notifications',
    title: msg`Notifications`,
    purpose: msg`The mail server, and the hosts to which people can have their notifications sent. Each person chooses a channel in its own preferences.`,
    scope: SECTION_SCOPES.notifications,
    Icon: IconBell,
    Section: retryableLazy(async () => (await import('./notifications/notification-settings.tsx')).default),
  },
  {
    id: 'roles',
    title: msg`Roles`,
    purpose: msg`Permissions of each role. The role of a credential is set when it is created.`,
    scope: SECTION_SCOPES.roles,
    Icon: IconUsers,
    Section: retryableLazy(async () => (await import('./roles/roles.tsx')).default),
  },
  {
    id: 'erasures',
    title: msg`Erasures`,
    purpose: msg`Persons whose texts were erased on request. Only texts that are stored sealed can be erased.`,
    scope: SECTION_SCOPES.erasures,
    Icon: IconEraser,
    Section: retryableLazy(async () => (await import('./erasures/erasures.tsx')).default),
  },
  {
    id: 'audit',
    title: msg`Audit trail`,
    purpose: msg`Actions of users on settings, credentials, findings, assets, integrations and webhooks, newest first.`,
    scope: SECTION_SCOPES.audit,
    Icon: IconShieldHalf,
    Section: retryableLazy(async () => (await import('./audit/audit.tsx')).default),
  },
];
