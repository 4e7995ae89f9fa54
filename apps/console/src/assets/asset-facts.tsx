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
    <Panel title="Details">
      <Facts
        of={[
          ['Type', toGroup('type', asset.type)],
          ['Attack surface', toGroup('attackSurface', asset.attackSurface)],
          ['Department', toGroup('department', asset.department)],
          ['Location', toGroup('location', asset.location)],
          ['Owner', asset.owner && <OwnerByRule key="owner" of={asset.owner} />],
          ['Criticality', asset.criticality && capital(asset.criticality)],
          ['Confidentiality', requirement(asset.confidentialityRequirement)],
          ['Integrity', requirement(asset.integrityRequirement)],
          ['Availability', requirement(asset.availabilityRequirement)],
          ['Operating system', asset.os],
          ['Host name', asset.hostname],
          ['FQDN', asset.fqdn],
          ['IP addresses', codes(asset.ipAddresses)],
          ['MAC addresses', codes(asset.macAddresses)],
          ['Aliases', asset.aliases.filter((alias) => alias !== asset.name).join(', ')],
          ['Sources', asset.sources.join(', ')],
          ['Managed by EDR', asset.isEdrManaged ? 'Yes' : 'No'],
          ['EDR', asset.edr && edrWords(asset.edr)],
          ['First seen', <Instant key="first" at={asset.firstSeen} />],
          [
            'Last seen',
            asset.lastSeen ? <Instant key="last" at={asset.lastSeen} /> : asOf && 'no past values',
          ],
          ['Last changed', <Instant key="updated" at={asset.updatedAt} />],
          ['Person erased', asset.erasedAt && <Instant key="erased" at={asset.erasedAt} />],
        ]}
      />
      <Named title="Custom fields" of={asset.customFields} />
      <Named title="Tags" of={asset.tags} />
    </Panel>
  );
}

const OwnerByRule = ({ of }: { of: Api['OwnerDto'] }) => (
  <>
    <ResponsibleLink of={of} /> by rule {of.rule}
  </>
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
