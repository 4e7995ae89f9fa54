import { plural, t } from '@lingui/core/macro';
import { client } from '../api/client.ts';
import { ExportMenu } from '../parts/export/export-menu.tsx';
import type { useFindings } from './use-findings.ts';

const formats = () =>
  [
    { format: 'csv', label: t`CSV, for spreadsheets` },
    { format: 'jsonl', label: t`JSON Lines, one finding per line` },
    { format: 'sarif', label: t`SARIF, for security tools` },
  ] as const;

/** Exports all pages of the list, in its order if the current state is displayed. */
export function FindingsExport({ found }: { found: ReturnType<typeof useFindings> }) {
  const { filter, sort, hasOnlyDated, instant, total } = found;
  // The service sorts only exports of the current state.
  const order = sort !== undefined && instant.asOf === undefined ? { sort } : {};
  return (
    <ExportMenu
      list="findings"
      label={'sort' in order && hasOnlyDated ? t`All matching findings with a due date` : labelOf(total)}
      total={total}
      formats={formats().map(({ format, label }) => ({
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

const labelOf = (total: number | undefined): string =>
  total === undefined
    ? t`All matching findings`
    : plural(total, { one: '# matching finding', other: '# matching findings' });
