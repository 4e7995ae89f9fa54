import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { runExport } from '../parts/export/run-export.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';

/** Saves the board report of the displayed time as a page to read and print. */
export function BoardReport() {
  const { query } = useAsOf();
  const [mayReadScores, mayReadFindings] = [useMay('scores:read'), useMay('findings:read')];
  const [isBusy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    await runExport(
      (signal) =>
        client.GET('/api/v3/reports/board', {
          params: { query },
          headers: { accept: 'text/html' },
          parseAs: 'stream',
          signal,
        }),
      { suggestedName: 'board-report.html', isLarge: false },
    );
    setBusy(false);
  }
  if (!mayReadScores || !mayReadFindings) return null;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFileText size={16} aria-hidden />}
      loading={isBusy}
      onClick={() => void save()}
    >
      Board report
    </Button>
  );
}
