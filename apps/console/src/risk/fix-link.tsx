import { plural, t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';

type Fix = Pick<Api['FixDto'], 'kind' | 'id' | 'name' | 'assets' | 'assetName'>;

/** A finding, or the failed findings of a CVE. */
export function FixLink({ of: { kind, id, name } }: { of: Fix }) {
  const to = kind === 'cve' ? `/findings?state=Failed&cve=${encodeURIComponent(id)}` : `/findings/${id}`;
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
