import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { type Api, api } from '../../api/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/data-table-props.ts';
import { Answered } from '../../parts/states.tsx';
import type { Scope } from '../../session/scope.ts';
import { useMay, useSession } from '../../session/session.ts';
import { ON_ENTRY } from '../act.ts';
import { PURPOSES, SCOPES } from '../api-tokens/scopes.ts';

const ROLES = ['admin', 'analyst', 'viewer'] as const;
type Role = (typeof ROLES)[number];

const OF_ANALYSTS: readonly Role[] = ['admin', 'analyst'];

/** The built-in roles that have each scope, as enforced by the service. */
const ROLES_WITH: Record<Scope, readonly Role[]> = {
  'findings:read': ROLES,
  'assets:read': ROLES,
  'scores:read': ROLES,
  'changes:read': ROLES,
  'uploads:read': ROLES,
  'integrations:read': ROLES,
  'settings:read': ROLES,
  'signals:write': OF_ANALYSTS,
  'findings:accept': OF_ANALYSTS,
  'findings:triage': OF_ANALYSTS,
  'audit:read': OF_ANALYSTS,
  'security-events:read': ['admin'],
  'settings:write': ['admin'],
  'integrations:write': ['admin'],
  'webhooks:read': ['admin'],
  'webhooks:write': ['admin'],
  'credentials:read': ['admin'],
  'credentials:write': ['admin'],
  'users:read': ['admin'],
  'users:write': ['admin'],
  'erasures:read': ['admin'],
  'erasures:write': ['admin'],
};

export default function Roles() {
  const mayReadRoles = useMay('credentials:read');
  return (
    <Stack>
      <Permissions />
      {mayReadRoles && <RolesOfSite />}
    </Stack>
  );
}

function Permissions() {
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
          {SCOPES.map((scope) => (
            <Table.Tr key={scope}>
              <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                {i18n._(PURPOSES[scope])}
                <Text size="xs" c="dimmed">
                  <bdi dir="ltr">{scope}</bdi>
                </Text>
              </Table.Th>
              {ROLES.map((role) => (
                <Permitted key={role} is={ROLES_WITH[scope].includes(role)} />
              ))}
              <Permitted is={scopes.includes(scope)} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** What credentials of the other roles may do. */
function RolesOfSite() {
  const query = api.useQuery('get', '/api/v3/roles', {}, ON_ENTRY);
  return (
    <Answered query={query}>
      {({ items }) => {
        const rows = items.filter(({ isBuiltIn }) => !isBuiltIn);
        if (rows.length === 0) return null;
        return (
          <Paper withBorder p="sm">
            <Title order={2} size="h4">
              <Trans>Roles of this site</Trans>
            </Title>
            <DataTable
              label={t`Roles of this site`}
              columns={columns()}
              rows={rows}
              idOf={({ name }) => name}
              hasCards
            />
          </Paper>
        );
      }}
    </Answered>
  );
}

const columns = (): readonly Column<Api['RoleDto']>[] => [
  { id: 'name', header: t`Role`, isTitle: true, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    id: 'scopes',
    header: t`Scopes`,
    cell: ({ scopes }) => <bdi dir="ltr">{scopes.join(', ')}</bdi>,
  },
];

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
