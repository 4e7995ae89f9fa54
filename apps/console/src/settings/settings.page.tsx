import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, NativeSelect, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Navigate, useParams } from 'react-router';
import { AppLink, useGo } from '../app/links.tsx';
import { NotFoundPage } from '../app/not-found.page.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Loading } from '../parts/states.tsx';
import { useMay, useSession } from '../session/session.ts';
import { useAsOf, withAsOf } from '../time/as-of.ts';
import { Notice } from './notice.tsx';
import { SECTIONS, type Section } from './sections.ts';
import classes from './settings.module.css';

export function Component() {
  const { section: id } = useParams();
  const { asOf } = useAsOf();
  const [first] = useReadable();
  const section = SECTIONS.find((one) => one.id === id);
  if (id === undefined) return <Navigate to={withAsOf(`/settings/${first!.id}`, asOf)} replace />;
  if (!section) return <NotFoundPage />;
  const title = i18n._(section.title);
  return (
    <div className={classes.page}>
      <Sections of={section} />
      <Box className={classes.section}>
        <PageTitle
          key={section.id}
          name={title}
          above={
            <Text size="sm" c="dimmed">
              <Trans>Settings</Trans>
            </Text>
          }
        >
          {title}
        </PageTitle>
        <Text c="dimmed" mb="md" maw="70ch">
          {i18n._(section.purpose)}
        </Text>
        {asOf !== null && <CurrentStateNote asOf={asOf} />}
        <Readable section={section} />
      </Box>
    </div>
  );
}

/** Sections that the user may read; every user may read some. */
function useReadable(): readonly Section[] {
  const scopes = useSession()?.scopes ?? [];
  return SECTIONS.filter(({ scope }) => scope === null || scopes.includes(scope));
}

/** Links next to the section, or a select field above it on a phone. */
function Sections({ of: current }: { of: Section }) {
  const go = useGo();
  const readable = useReadable();
  const shown = readable.includes(current) ? readable : [...readable, current];
  return (
    <>
      <Box component="nav" aria-label={t`Settings`} visibleFrom="sm" className={classes.nav}>
        {shown.map((section) => (
          <AppLink
            key={section.id}
            to={`/settings/${section.id}`}
            underline="never"
            className={classes.link}
            aria-current={section === current ? 'page' : undefined}
          >
            <section.Icon size={16} aria-hidden />
            {i18n._(section.title)}
          </AppLink>
        ))}
      </Box>
      <NativeSelect
        hiddenFrom="sm"
        label={t`Section`}
        data={shown.map(({ id, title }) => ({ value: id, label: i18n._(title) }))}
        value={current.id}
        onChange={({ currentTarget: { value } }) => go(`/settings/${value}`)}
      />
    </>
  );
}

function CurrentStateNote({ asOf }: { asOf: string }) {
  const isAudited = useMay('audit:read');
  return (
    <Notice color="orange" icon={<IconHistory aria-hidden />} mb="md" title={t`Current settings`}>
      <Trans>
        Past settings are not available. This page shows the current settings. Go back to now to change them.
      </Trans>{' '}
      {isAudited && (
        <AppLink to={`/settings/audit?to=${encodeURIComponent(asOf)}`} inherit>
          <Trans>Show changes before that time in the audit trail.</Trans>
        </AppLink>
      )}
    </Notice>
  );
}

function Readable({ section }: { section: Section }) {
  const { id, scope, Section } = section;
  if (!useReadable().includes(section)) {
    const title = i18n._(section.title);
    return (
      <Notice color="gray" title={t`${title}: access denied`}>
        <Trans>
          This page requires the scope {scope}, which you do not have. Ask an admin for a role that includes
          it.
        </Trans>
      </Notice>
    );
  }
  return (
    <Suspense fallback={<Loading />}>
      <Section key={id} />
    </Suspense>
  );
}
