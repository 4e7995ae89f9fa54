import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { isAnswering } from '../app/is-answering.ts';
import type { OpenExport } from './export/save-export.ts';

/**
 * Saves a report as a page to read and print.
 * @param open requests it with `accept: text/html`
 * @param whyNot why there is none
 */
export function ReportButton({
  label,
  fileName,
  open,
  whyNot,
}: {
  label: string;
  fileName: string;
  open: OpenExport;
  whyNot?: string | undefined;
}) {
  const [isBusy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    try {
      // Most visits save no report.
      const { runExport } = await import('./export/run-export.tsx');
      await runExport(open, { suggestedName: fileName, isLarge: false });
    } catch {
      notifications.show({
        color: 'red',
        title: t`Export failed`,
        message: (await isAnswering())
          ? t`The console may have been updated. Reload the page.`
          : t`The service is not responding.`,
      });
    }
    setBusy(false);
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFileText size={16} aria-hidden />}
      loading={isBusy}
      disabled={whyNot !== undefined}
      title={whyNot}
      onClick={() => void save()}
    >
      {label}
    </Button>
  );
}
