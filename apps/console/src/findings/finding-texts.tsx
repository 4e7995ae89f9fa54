import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import classes from './finding.module.css';

/** Description, remediation and evidence, as sent by the source. */
export function FindingTexts({ finding }: { finding: Api['FindingDto'] }) {
  const { description, technical, businessImpact, observation, remediation } = finding;
  const about: [string, string | null][] = [
    [t`Description`, description],
    [t`Technical details`, technical],
    [t`Business impact`, businessImpact ?? remediation?.impact ?? null],
  ];
  const shown = about.filter(([, text]) => text);
  return (
    <>
      <Panel title={t`Description`}>
        {shown.length === 0 ? (
          <Text size="sm" c="dimmed">
            <Trans>The source provided only a name.</Trans>
          </Text>
        ) : (
          <Stack gap="sm">
            {shown.map(([title, text]) => (
              <Fragment key={title}>
                {shown.length > 1 && <Sub>{title}</Sub>}
                <div className={classes.text} dir="auto">
                  {text}
                </div>
              </Fragment>
            ))}
          </Stack>
        )}
      </Panel>
      <Panel title={t`Remediation`}>
        {remediation?.description || remediation?.reference ? (
          <Stack gap="xs">
            {remediation.description && (
              <div className={classes.text} dir="auto">
                {remediation.description}
              </div>
            )}
            {remediation.reference && <Reference to={remediation.reference} />}
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            <Trans>The source provided no remediation.</Trans>
          </Text>
        )}
      </Panel>
      <Panel title={t`Evidence`}>
        {observation ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
          <pre className={classes.evidence} dir="auto" tabIndex={0}>
            {observation}
          </pre>
        ) : (
          <Empty title={t`No evidence`} />
        )}
      </Panel>
    </>
  );
}

const Sub = ({ children }: { children: ReactNode }) => (
  <Title order={3} size="h6">
    {children}
  </Title>
);

/** Only HTTP addresses become links, without a referrer, because sources can send any text. */
function Reference({ to }: { to: string }) {
  const address = URL.canParse(to) ? new URL(to) : null;
  if (address === null || !['http:', 'https:'].includes(address.protocol)) {
    return (
      <Text size="sm">
        <Trans>
          Reference: <bdi>{to}</bdi>
        </Trans>
      </Text>
    );
  }
  return (
    <Anchor
      href={address.href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      size="sm"
      underline="always"
    >
      <bdi>{to}</bdi> <IconExternalLink size={14} aria-label={t`(opens in a new tab)`} />
    </Anchor>
  );
}
