import { t } from '@lingui/core/macro';
import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Instant } from '../parts/instant.tsx';
import classes from './configuration-facts.module.css';
import { type Integration, type Kind, kindOf } from './kinds.ts';
import { frequencyOf } from './schedule.ts';

/** The stored configuration. For the secret, only whether it exists. */
export function ConfigurationFacts({ integration }: { integration: Integration }) {
  const { name, source, configState, createdAt } = integration;
  const { title, account, secret, names, switches } = kindOf(integration);
  const config = integration.config as unknown as Record<string, unknown>;
  const facts: [label: string, value: ReactNode][] = [
    [t`Type`, title],
    [t`Name`, <bdi key="name">{name}</bdi>],
    [t`Source of its assets and findings`, <bdi key="source">{source}</bdi>],
    [t`URL`, <bdi key="url">{integration.config.url}</bdi>],
    [account.label, <bdi key="account">{String(config[account.field])}</bdi>],
    [
      secret.label,
      configState === 'complete' ? t`Stored encrypted, never shown` : t`Missing. Enter it again.`,
    ],
    ...listedOf(names, config),
    ...switches.map(({ field, label }): [string, ReactNode] => [label, config[field] ? t`Yes` : t`No`]),
    [t`Sync automatically`, frequencyOf(integration.config.autoSyncDays)],
    [t`Added`, <Instant key="at" at={createdAt} />],
  ];
  return (
    <Paper withBorder p="md">
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}

function listedOf(names: Kind['names'], config: Record<string, unknown>): [string, ReactNode][] {
  if (names === null) return [];
  const listed = config[names.field] as string[];
  return [[names.label, listed.length > 0 ? listed.join(', ') : names.whenEmpty]];
}
