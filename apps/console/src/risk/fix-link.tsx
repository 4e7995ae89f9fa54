import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { cveQuery, isFilterable } from './fix-query.ts';
import type { Subject } from './group.ts';

type Fix = Pick<Api['FixDto'], 'kind' | 'id' | 'name' | 'assets' | 'assetName'>;

/** A finding, or the failed findings of a CVE on the assets of the subject. */
export function FixLink({ of: { kind, id, name }, subject }: { of: Fix; subject: Subject }) {
  const to = kind === 'cve' ? `/findings?state=Failed&${cveQuery(id, subject)}` : `/findings/${id}`;
  return (
    <AppLink to={to} size="sm" fw={550}>
      {name ?? id}
    </AppLink>
  );
}

export function aboutFix({ kind, assets, assetName }: Fix): string {
  if (kind === 'cve') return plural(assets, { one: 'CVE on # asset', other: 'CVE on # assets' });
  return assetName === null ? t`Finding on an asset` : t`Finding on ${assetName}`;
}

/** Above fixes of an attack surface: the list of findings cannot be filtered by it. */
export const SiteWideNote = ({ subject }: { subject: Subject }) =>
  !isFilterable(subject) && (
    <Text size="xs" c="dimmed" mb={4}>
      <Trans>A CVE leads to its findings on all assets, also outside of this attack surface.</Trans>
    </Text>
  );
