import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Code, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Facts } from '../parts/facts.tsx';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { ResponsibleLink } from '../parts/responsible.tsx';
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
          [t`Criticality`, asset.criticality && capital(asset.criticality)],
          [t`Confidentiality`, requirement(asset.confidentialityRequirement)],
          [t`Integrity`, requirement(asset.integrityRequirement)],
          [t`Availability`, requirement(asset.availabilityRequirement)],
          [t`Operating system`, asset.os],
          [t`Host name`, asset.hostname],
          [t`FQDN`, asset.fqdn],
          [t`IP addresses`, codes(asset.ipAddresses)],
          [t`MAC addresses`, codes(asset.macAddresses)],
          [t`Aliases`, asset.aliases.filter((alias) => alias !== asset.name).join(', ')],
          [t`Sources`, asset.sources.join(', ')],
          [t`Managed by EDR`, asset.isEdrManaged ? t`Yes` : t`No`],
          [t`EDR`, asset.edr && edrWords(asset.edr)],
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

const OwnerByRule = ({ of }: { of: Api['OwnerDto'] }) => (
  <Trans>
    <ResponsibleLink of={of} /> by rule {of.rule}
  </Trans>
);

const toGroup = (kind: Grouping, name: string): ReactNode => (
  <AppLink key={kind} to={groupAddress({ kind, name })} inherit underline="always">
    {name}
  </AppLink>
);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const requirement = (level: string | null): string | null => level && `${capital(level)} requirement`;

const codes = (values: string[]): ReactNode =>
  values.length === 0 ? null : (
    <Group gap={4}>
      {values.map((value) => (
        <Code key={value}>{value}</Code>
      ))}
    </Group>
  );

const edrWords = ({ controls, findings }: Api['EdrCountsDto']): string =>
  `${controls.toLocaleString()} ${controls === 1 ? 'control' : 'controls'}, ` +
  `${findings.toLocaleString()} failing ${findings === 1 ? 'detection' : 'detections'}`;

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
          <Badge key={name} variant="default" tt="none" fw={500} maw="100%">
            {name}: <b>{values.join(', ')}</b>
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}
