import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Table, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { type Scope, useSession } from '../../session/session.ts';

const ROLES = ['admin', 'analyst', 'viewer'] as const;
type Role = (typeof ROLES)[number];

/** Permissions: the scope of each, and the roles that have it, as enforced by the service. */
const ACTS: readonly [act: MessageDescriptor, scope: Scope, roles: readonly Role[]][] = [
  [msg`Read and export findings`, 'findings:read', ROLES],
  [msg`Read and export assets`, 'assets:read', ROLES],
  [msg`Read scores, fixes and losses`, 'scores:read', ROLES],
  [msg`Read uploads and their outcome`, 'uploads:read', ROLES],
  [msg`Read integrations and their syncs`, 'integrations:read', ROLES],
  [msg`Read settings`, 'settings:read', ROLES],
  [msg`Upload signals and reports`, 'signals:write', ['admin', 'analyst']],
  [msg`Accept findings and revert acceptances`, 'findings:accept', ['admin', 'analyst']],
  [
    msg`Assign, tag and comment findings, set due dates, attach tickets`,
    'findings:triage',
    ['admin', 'analyst'],
  ],
  [msg`Read the audit trail`, 'audit:read', ['admin', 'analyst']],
  [
    msg`Change policies, departments, locations, custom fields and the OS mapping`,
    'settings:write',
    ['admin'],
  ],
  [msg`Add, test, sync, change and remove integrations`, 'integrations:write', ['admin']],
  [msg`Read credentials, API tokens and sessions of all people`, 'credentials:read', ['admin']],
  [msg`Create, rotate and delete credentials and API tokens`, 'credentials:write', ['admin']],
  [
    msg`Add and change identity providers; disable, delete and provision their users`,
    'users:write',
    ['admin'],
  ],
  [msg`Erase the personal texts of a person`, 'erasures:write', ['admin']],
];

export default function Roles() {
  const scopes = useSession()?.scopes ?? [];
  return (
    <Paper withBorder p="sm">
      <Table verticalSpacing="sm" horizontalSpacing={4}>
        <Table.Caption>
          <Trans>
            “You” also includes other roles, and the roles and scopes of your groups at an identity provider.
          </Trans>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Permission</Trans>
            </Table.Th>
            {[...ROLES, t`You`].map((column) => (
              <Table.Th key={column} ta="center">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ACTS.map(([act, scope, roles]) => (
            <Table.Tr key={scope}>
              <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                {i18n._(act)}
                <Text size="xs" c="dimmed">
                  <bdi dir="ltr">{scope}</bdi>
                </Text>
              </Table.Th>
              {ROLES.map((role) => (
                <Permitted key={role} is={roles.includes(role)} />
              ))}
              <Permitted is={scopes.includes(scope)} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Permitted({ is }: { is: boolean }) {
  return (
    <Table.Td ta="center">
      {is ? (
        <IconCheck size={18} role="img" aria-label={t`Yes`} color="var(--mantine-primary-color-filled)" />
      ) : (
        <IconMinus size={18} role="img" aria-label={t`No`} color="var(--mantine-color-dimmed)" />
      )}
    </Table.Td>
  );
}
