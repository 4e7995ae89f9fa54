import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { assetsText } from '../parts/asset-count.ts';

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

export const aboutFix = ({ kind, assets, assetName }: Fix): string =>
  kind === 'cve' ? t`CVE on ${assetsText(assets)}` : t`Finding on ${assetName ?? t`an asset`}`;
