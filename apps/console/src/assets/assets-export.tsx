import { client } from '../api/client.ts';
import { ExportMenu } from '../parts/export/export-menu.tsx';
import type { useAssets } from './use-assets.ts';

const FORMATS = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON Lines, one asset per line' },
] as const;

/** Exports all pages of the list, in its order. */
export function AssetsExport({ found }: { found: ReturnType<typeof useAssets> }) {
  const { filter, sort, instant, counts } = found;
  // The service sorts only exports of the current state.
  const order = sort !== undefined && instant.asOf === undefined ? { sort } : {};
  return (
    <ExportMenu
      list="assets"
      total={counts.data?.total}
      formats={FORMATS.map(({ format, label }) => ({
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
