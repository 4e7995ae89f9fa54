import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Stack, Table, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { Instant } from '../parts/instant.tsx';
import { Panel } from '../parts/panel.tsx';
import { levelWord } from '../parts/severity.tsx';

type Statement = Api['StatementDto'];

/** What each source said of the asset, and which of its values the asset shows. */
export function AssetStatements({ statements }: { statements: Statement[] }) {
  if (statements.length === 0) return null;
  return (
    <Panel title={t`Data by source`}>
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>
          The asset shows the values of the first trusted source that has one, otherwise the newest, and the
          addresses of all sources. Values in bold are shown.
        </Trans>
      </Text>
      <Table verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">
              <Trans>Source</Trans>
            </Table.Th>
            <Table.Th w="20%">
              <Trans>Changed</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Values</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {statements.map((statement) => (
            <Table.Tr key={`${statement.isEarlier} ${statement.source} ${statement.deviceId}`}>
              <Table.Td valign="top">
                <Source statement={statement} />
              </Table.Td>
              <Table.Td valign="top">
                <Instant at={statement.since} />
              </Table.Td>
              <Table.Td>
                <Values statement={statement} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

const Source = ({ statement: { source, deviceId, isEarlier, trust } }: { statement: Statement }) => (
  <Stack gap={2}>
    <Text size="sm">{isEarlier ? t`Earlier data` : <bdi>{source ?? t`Without a name`}</bdi>}</Text>
    {deviceId !== null && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          Device <Code dir="ltr">{deviceId}</Code>
        </Trans>
      </Text>
    )}
    {trust !== null && (
      <Text size="xs" c="dimmed">
        <Trans>Trusted source {trust}</Trans>
      </Text>
    )}
  </Stack>
);

function Values({ statement: { values, shown } }: { statement: Statement }) {
  return (
    <Stack gap={2}>
      {Object.entries(values).flatMap(([attribute, value]) =>
        valuesOf(attribute, value).map(({ name, label, text }) => (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {label}: {shown.includes(name) ? <b dir="auto">{text}</b> : <bdi>{text}</bdi>}
          </Text>
        )),
      )}
    </Stack>
  );
}

const labels = (): Record<string, string> => ({
  name: t`Name of the device`,
  hostname: t`Host name`,
  fqdn: 'FQDN',
  ipAddresses: t`IP addresses`,
  macAddresses: t`MAC addresses`,
  os: t`Operating system`,
  type: t`Type`,
  attackSurface: t`Attack surface`,
  criticality: t`Criticality`,
  confidentialityRequirement: t`Confidentiality`,
  integrityRequirement: t`Integrity`,
  availabilityRequirement: t`Availability`,
  department: t`Department`,
  location: t`Location`,
});

/** Tags and custom fields have a value for each key. */
function valuesOf(attribute: string, value: unknown): { name: string; label: string; text: string }[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, values]) => ({
      name: `${attribute}.${key}`,
      label: key,
      text: textOf(values) || t`no value`,
    }));
  }
  return [{ name: attribute, label: labels()[attribute] ?? attribute, text: shownText(attribute, value) }];
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));

const LEVELS_OF = [
  'criticality',
  'confidentialityRequirement',
  'integrityRequirement',
  'availabilityRequirement',
];

const shownText = (attribute: string, value: unknown): string =>
  LEVELS_OF.includes(attribute) ? levelWord(textOf(value)) : textOf(value);
