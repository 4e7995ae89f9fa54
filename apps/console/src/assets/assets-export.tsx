import { plural, t } from '@lingui/core/macro';
import { client } from '../api/client.ts';
import { ExportMenu } from '../parts/export/export-menu.tsx';
import type { useAssets } from './use-assets.ts';

const formats = () =>
  [
    { format: 'csv', label: t`CSV, for spreadsheets` },
    { format: 'jsonl', label: t`JSON Lines, one asset per line` },
  ] as const;

/** Exports all pages of the list, in its order. */
export function AssetsExport({ found }: { found: ReturnType<typeof useAssets> }) {
  const { filter, sort, instant, counts } = found;
  // The service sorts only exports of the current state.
  const order = sort !== undefined && instant.asOf === undefined ? { sort } : {};
  return (
    <ExportMenu
      list="assets"
      label={labelOf(counts.data?.total)}
      total={counts.data?.total}
      formats={formats().map(({ format, label }) => ({
        label,
        extension: format,
        open: (signal) =>
          client.GET('/api/v3/assets/export', {
            params: { query: { ...filter, ...order, ...instant, format } },
            parseAs: 'stream',
            signal,
          }),
      }))}
    />
  );
}

const labelOf = (total: number | undefined): string =>
  total === undefined
    ? t`All matching assets`
    : plural(total, { one: '# matching asset', other: '# matching assets' });
