import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { runExport } from './export/run-export.tsx';
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
    await runExport(open, { suggestedName: fileName, isLarge: false });
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
