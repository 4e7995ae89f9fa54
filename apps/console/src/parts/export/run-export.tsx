import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { onSessionChange, session } from '../../session/session.ts';
import { byteText } from '../byte-text.ts';
import { randomKey } from '../random-key.ts';
import { sentenceOf } from '../states.tsx';
import { askForFile, ExportFailure, type OpenExport, saveExport, TooLargeForBrowser } from './save-export.ts';

const PROGRESS_MS_MIN = 200;

/** Saves an export and shows its progress on every page. A sign-out cancels it. */
export async function runExport(
  open: OpenExport,
  { suggestedName, isLarge }: { suggestedName: string; isLarge: boolean },
): Promise<void> {
  const ended = new AbortController();
  const unregister = onSessionChange(() => session.current ?? ended.abort());
  const id = `export-${randomKey()}`;
  try {
    const file = isLarge ? await askForFile(suggestedName) : undefined;
    const message = (bytes: number) => <Progress bytes={bytes} onCancel={() => ended.abort()} />;
    notifications.show({
      id,
      loading: true,
      autoClose: false,
      withCloseButton: false,
      title: t`Exporting`,
      message: message(0),
    });
    const report = throttled((bytes) => notifications.update({ id, message: message(bytes) }));
    const { name, bytes } = await saveExport(open, file, ended.signal, report);
    const size = byteText(bytes);
    notifications.hide(id);
    notifications.show({
      color: 'teal',
      title: t`Exported`,
      message: name === null ? t`The file is complete: ${size}.` : t`${name} is complete: ${size}.`,
    });
  } catch (error) {
    notifications.hide(id);
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (isCancelled) notifications.show({ title: t`Export cancelled`, message: t`No file was saved.` });
    else {
      notifications.show({
        color: 'red',
        autoClose: false,
        title: t`Export failed`,
        message: messageOf(error),
      });
    }
  } finally {
    unregister();
  }
}

function Progress({ bytes, onCancel }: { bytes: number; onCancel: () => void }) {
  const size = byteText(bytes);
  return (
    <Group justify="space-between">
      <span>{bytes === 0 ? t`Waiting for the service` : t`${size} so far`}</span>
      <Button size="compact-sm" variant="default" onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
    </Group>
  );
}

function messageOf(error: unknown): string {
  if (error instanceof ExportFailure) return sentenceOf(error.failure);
  if (error instanceof TooLargeForBrowser) {
    return t`The file is too large for this browser. Filter the list, or use Chrome or Edge.`;
  }
  return t`The download was interrupted and the file was discarded. Try again.`;
}

function throttled(report: (bytes: number) => void): (bytes: number) => void {
  let last = 0;
  return (bytes) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS_MIN) return;
    last = now;
    report(bytes);
  };
}
