import { t } from '@lingui/core/macro';
import { client } from '../api/client.ts';
import { ReportButton } from '../parts/report-button.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import type { FindingFilter } from './filter-names.ts';

const FINDINGS_MAX = 200;

/** Saves the technical report of the first findings of a filter, the most severe ones, as of the displayed time. */
export function TechnicalReport({
  filter: { ssvc, ransomware, kev, epssMin, ...filter },
}: {
  filter: FindingFilter;
}) {
  const { query } = useAsOf();
  const [mayReadFindings, mayReadAssets] = [useMay('findings:read'), useMay('assets:read')];
  if (!mayReadFindings || !mayReadAssets) return null;
  return (
    <ReportButton
      label={t`Technical report`}
      fileName="technical-report.html"
      whyNot={
        [ssvc, ransomware, kev, epssMin].every((one) => one === undefined)
          ? undefined
          : t`A report cannot be filtered by SSVC decision, EPSS, or known exploitation`
      }
      open={(signal) =>
        client.GET('/api/v3/reports/technical', {
          params: { query: { ...filter, ...query, limit: FINDINGS_MAX } },
          headers: { accept: 'text/html' },
          parseAs: 'stream',
          signal,
        })
      }
    />
  );
}
