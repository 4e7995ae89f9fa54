import { client } from '../api/client.ts';
import { ExportMenu } from '../parts/export/export-menu.tsx';
import type { useFindings } from './use-findings.ts';

const FORMATS = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON, a finding a line' },
  { format: 'sarif', label: 'SARIF, for security tools' },
] as const;

/** The list as a file: all pages of it, in its order where that is the present. */
export function FindingsExport({ found }: { found: ReturnType<typeof useFindings> }) {
  const { filter, sort, instant, counts } = found;
  // The service sorts exports of the present alone.
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
