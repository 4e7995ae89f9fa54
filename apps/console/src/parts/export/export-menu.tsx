import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { runExport } from './run-export.tsx';
import type { OpenExport } from './save-export.ts';

/** Files with more rows exceed tens of megabytes. */
const LARGE_ROWS = 50_000;

export interface ExportFormat {
  label: string;
  extension: string;
  open: OpenExport;
}

/**
 * @param list name of the file without its extension
 * @param label what is exported, such as `1,234 matching findings`
 * @param total number of rows in the file; undefined until it is counted
 */
export function ExportMenu({
  list,
  label,
  total,
  formats,
}: {
  list: string;
  label: string;
  total: number | undefined;
  formats: readonly ExportFormat[];
}) {
  const isLarge = total === undefined || total > LARGE_ROWS;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={16} aria-hidden />}>
          <Trans>Export</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw={300}>
        <Menu.Label>
          {total !== undefined && isLarge ? t`${label}. Large file, the export can take minutes.` : label}
        </Menu.Label>
        {formats.map(({ label: format, extension, open }) => (
          <Menu.Item
            key={extension}
            onClick={() => void runExport(open, { suggestedName: `${list}.${extension}`, isLarge })}
          >
            {format}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
