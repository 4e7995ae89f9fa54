import { t } from '@lingui/core/macro';
import { client } from '../api/client.ts';
import { ReportButton } from '../parts/report-button.tsx';
import { useMay } from '../session/session.ts';
import { useMe } from '../session/use-me.ts';
import { useAsOf } from '../time/as-of.ts';

/** Saves the board report of the displayed time. It is about all assets. */
export function BoardReport() {
  const { query } = useAsOf();
  const [mayReadScores, mayReadFindings] = [useMay('scores:read'), useMay('findings:read')];
  const me = useMe().data;
  const seesAll = me?.departments === null && me.locations === null;
  if (!mayReadScores || !mayReadFindings || !seesAll) return null;
  return (
    <ReportButton
      label={t`Board report`}
      fileName="board-report.html"
      open={(signal) =>
        client.GET('/api/v3/reports/board', {
          params: { query },
          headers: { accept: 'text/html' },
          parseAs: 'stream',
          signal,
        })
      }
    />
  );
}
