import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBell,
  IconBook,
  IconDeviceDesktop,
  IconDevices,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { LanguageItems } from '../language/language-items.tsx';
import { signOut, useSession } from '../session/session.ts';
import { useAsOf, withAsOf } from '../time/as-of.ts';

const SCHEMES = [
  { scheme: 'light', label: msg`Light`, Icon: IconSun },
  { scheme: 'dark', label: msg`Dark`, Icon: IconMoon },
  { scheme: 'auto', label: msg({ message: 'System', context: 'appearance' }), Icon: IconDeviceDesktop },
] as const;

async function signOutHere(): Promise<void> {
  if (await signOut()) return;
  notifications.show({
    color: 'orange.9',
    title: t`You have signed out in this browser only`,
    message: t`The service is not responding. Your session ends there after its time without activity.`,
    autoClose: false,
    closeButtonProps: { 'aria-label': t`Close` },
  });
}

export function UserMenu() {
  const username = useSession()?.username ?? '';
  const { asOf } = useAsOf();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t`Signed in as ${username}`}>
          <IconUserCircle />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate>
            {username}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>
          <Trans>Appearance</Trans>
        </Menu.Label>
        {SCHEMES.map(({ scheme, label, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            fw={colorScheme === scheme ? 650 : undefined}
          >
            {i18n._(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to={withAsOf('/settings/sessions', asOf)}
          leftSection={<IconDevices size={16} aria-hidden />}
        >
          <Trans>Sessions</Trans>
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={withAsOf('/notifications/preferences', asOf)}
          leftSection={<IconBell size={16} aria-hidden />}
        >
          <Trans>Notifications</Trans>
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<IconBook size={16} aria-hidden />}
        >
          <Trans>API documentation</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOutHere()}>
          <Trans>Sign out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
