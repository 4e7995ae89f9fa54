import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Code, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { list } from '../language/format.ts';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { ResponsibleLink } from '../parts/responsible.tsx';
import { levelNames } from '../parts/severity.tsx';
import { type Grouping, groupAddress } from '../risk/group.ts';
import { useAsOf } from '../time/as-of.ts';

/** Properties of an asset; its groups are links. */
export function AssetFacts({ asset }: { asset: Api['AssetDto'] }) {
  const { asOf } = useAsOf();
  return (
    <Panel title={t`Details`}>
      <Facts
        of={[
          [t`Type`, toGroup('type', asset.type)],
          [t`Attack surface`, toGroup('attackSurface', asset.attackSurface)],
          [t`Department`, toGroup('department', asset.department)],
          [t`Location`, toGroup('location', asset.location)],
          [t`Owner`, asset.owner && <OwnerByRule key="owner" of={asset.owner} />],
          [t`Criticality`, asset.criticality && levelName(asset.criticality)],
          [t`Confidentiality`, requirement(asset.confidentialityRequirement)],
          [t`Integrity`, requirement(asset.integrityRequirement)],
          [t`Availability`, requirement(asset.availabilityRequirement)],
          [t`Operating system`, asset.os],
          [t`Host name`, asset.hostname],
          ['FQDN', asset.fqdn],
          [t`IP addresses`, codes(asset.ipAddresses)],
          [t`MAC addresses`, codes(asset.macAddresses)],
          [t`Aliases`, asset.aliases.filter((alias) => alias !== asset.name).join(', ')],
          [t`Sources`, asset.sources.join(', ')],
          [t`Managed by EDR`, asset.isEdrManaged ? t`Yes` : t`No`],
          ['EDR', asset.edr && edrWords(asset.edr)],
          [t`First seen`, <Instant key="first" at={asset.firstSeen} />],
          [
            t`Last seen`,
            asset.lastSeen ? <Instant key="last" at={asset.lastSeen} /> : asOf && t`no past values`,
          ],
          [t`Last changed`, <Instant key="updated" at={asset.updatedAt} />],
          [t`Person erased`, asset.erasedAt && <Instant key="erased" at={asset.erasedAt} />],
        ]}
      />
      <Named title={t`Custom fields`} of={asset.customFields} />
      <Named title={t`Tags`} of={asset.tags} />
    </Panel>
  );
}

function OwnerByRule({ of }: { of: Api['OwnerDto'] }) {
  const { rule } = of;
  return (
    <Trans>
      <ResponsibleLink of={of} /> by rule {rule}
    </Trans>
  );
}

const toGroup = (kind: Grouping, name: string): ReactNode => (
  <AppLink key={kind} to={groupAddress({ kind, name })} inherit underline="always">
    <bdi>{name}</bdi>
  </AppLink>
);

/** The level in words; a word that is not a level is returned as it is. */
const levelName = (level: string): string => (levelNames() as Record<string, string>)[level] ?? level;

function requirement(level: string | null): string | null {
  const names: Record<string, string> = {
    low: t`Low requirement`,
    medium: t`Medium requirement`,
    high: t`High requirement`,
  };
  return level && (names[level] ?? level);
}

const codes = (values: string[]): ReactNode =>
  values.length === 0 ? null : (
    <Group gap={4}>
      {values.map((value) => (
        <Code key={value} dir="ltr">
          {value}
        </Code>
      ))}
    </Group>
  );

const edrWords = ({ controls, findings }: Api['EdrCountsDto']): string =>
  list(
    [
      plural(controls, { one: '# control', other: '# controls' }),
      plural(findings, { one: '# failing detection', other: '# failing detections' }),
    ],
    'unit',
  );

function Named({ title, of }: { title: string; of: Record<string, string[]> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return null;
  return (
    <Stack gap={6} mt="md">
      <Title order={3} size="h6">
        {title}
      </Title>
      <Group gap={6}>
        {entries.map(([name, values]) => (
          <Badge key={name} variant="default" tt="none" fw={500} maw="100%" dir="auto">
            {name}: <b>{values.join(', ')}</b>
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}
