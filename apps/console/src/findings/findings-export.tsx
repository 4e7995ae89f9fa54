import { client } from '../api/client.ts';
import { ExportMenu } from '../parts/export/export-menu.tsx';
import type { useFindings } from './use-findings.ts';

const FORMATS = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON Lines, one finding per line' },
  { format: 'sarif', label: 'SARIF, for security tools' },
] as const;

/** Exports all pages of the list, in its order if the current state is displayed. */
export function FindingsExport({ found }: { found: ReturnType<typeof useFindings> }) {
  const { filter, sort, instant, counts } = found;
  // The service sorts only exports of the current state.
  const order = sort !== undefined && instant.asOf === undefined ? { sort } : {};
  return (
    <ExportMenu
      list="findings"
      total={counts.data?.total}
      formats={FORMATS.map(({ format, label }) => ({
        label,
        extension: format,
        open: (signal) =>
          client.GET('/api/v3/findings/export', {
            params: { query: { ...filter, ...order, ...instant, format } },
            parseAs: 'stream',
            signal,
          }),
      }))}
    />
  );
}
