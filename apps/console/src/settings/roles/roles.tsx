import { Paper, Table, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { type Role, useSession } from '../../session/session.ts';

const ROLES: readonly Role[] = ['admin', 'analyst', 'viewer'];

/** Permissions by role, as enforced by the service. */
const ACTS: readonly [act: string, roles: readonly Role[]][] = [
  ['Read scores, findings, assets, uploads, integrations and settings', ROLES],
  ['Export data', ROLES],
  ['Upload signals, one by one or as ZIP files', ['admin', 'analyst']],
  ['Accept findings and revert acceptances', ['admin', 'analyst']],
  ['Read the audit trail', ['admin', 'analyst']],
  ['Change policies, departments, locations, custom fields and the OS mapping', ['admin']],
  ['Add, test, sync, change and remove integrations', ['admin']],
  ['Read, create, rotate and delete credentials and API tokens', ['admin']],
];

export default function Roles() {
  const own = useSession()?.role;
  return (
    <Paper withBorder p="sm">
      <Table verticalSpacing="sm">
        <Table.Caption>
          The role of a credential cannot change. Create another credential and delete the old one.
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Permission</Table.Th>
            {ROLES.map((role) => (
              <Table.Th key={role} ta="center">
                {role}
                {role === own && (
                  <Text span size="xs" c="dimmed" display="block">
                    yours
                  </Text>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ACTS.map(([act, roles]) => (
            <Table.Tr key={act}>
              <Table.Th scope="row" fw={400}>
                {act}
              </Table.Th>
              {ROLES.map((role) => (
                <Table.Td key={role} ta="center">
                  {roles.includes(role) ? (
                    <IconCheck
                      size={18}
                      role="img"
                      aria-label="Yes"
                      color="var(--mantine-primary-color-filled)"
                    />
                  ) : (
                    <IconMinus size={18} role="img" aria-label="No" color="var(--mantine-color-dimmed)" />
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
