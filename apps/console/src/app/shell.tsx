import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { AppShell, Burger, Group, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldCheck } from '@tabler/icons-react';
import { Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useLive } from '../api/live.ts';
import { Loading } from '../parts/states.tsx';
import { QuickSearch } from '../search/quick-search.tsx';
import { ExpiryWarning } from '../session/expiry-warning.tsx';
import { useSession } from '../session/session.ts';
import { SignInPage } from '../session/sign-in.page.tsx';
import { SignInDialog } from '../session/sign-in-dialog.tsx';
import { useExtension } from '../session/use-extension.ts';
import { AsOfContext, useAddressedInstant, useAsOf, withAsOf } from '../time/as-of.ts';
import { TimeBanner } from '../time/time-banner.tsx';
import { TimeControl } from '../time/time-control.tsx';
import { LiveDot } from './live-dot.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { placesFor } from './places.ts';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** The sign-in page, or the frame of all pages. After the session expires, the sign-in dialog covers the page. */
export function Shell() {
  const isSignedIn = useSession() !== null;
  const asOf = useAddressedInstant();
  return <AsOfContext value={asOf}>{isSignedIn ? <SignedIn /> : <SignInPage />}</AsOfContext>;
}

function SignedIn() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { asOf } = useAsOf();
  const { pathname } = useLocation();
  const scopes = useSession()?.scopes ?? [];
  const live = useLive(asOf === null);
  useExtension();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes after navigation
  useEffect(close, [pathname]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#main" className={classes.skip}>
        <Trans>Skip to content</Trans>
      </a>
      <AppShell.Header className={classes.header} data-past={asOf !== null || undefined}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t`Menu`} />
            <UnstyledButton
              component={Link}
              to={withAsOf('/', asOf)}
              className={classes.brand}
              aria-label={t`Risk Posture`}
            >
              <IconShieldCheck aria-hidden />
              <Text fw={650} visibleFrom="xs">
                <Trans>Risk Posture</Trans>
              </Text>
            </UnstyledButton>
          </Group>
          <Group gap="sm" wrap="nowrap">
            {asOf === null && <LiveDot state={live} />}
            <QuickSearch />
            <TimeControl />
            <NotificationBell />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t`Main`} component="nav">
        <ScrollArea>
          {placesFor(scopes).map(({ to, label, Icon }) => {
            const isHere = to === '/' ? pathname === '/' : pathname.startsWith(to);
            return (
              <NavLink
                key={to}
                component={Link}
                to={withAsOf(to, asOf)}
                label={i18n._(label)}
                leftSection={<Icon size={18} aria-hidden />}
                active={isHere}
                aria-current={isHere ? 'page' : undefined}
                variant="filled"
                className={classes.place}
              />
            );
          })}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main">
        <TimeBanner />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <ExpiryWarning />
      <SignInDialog />
    </AppShell>
  );
}
