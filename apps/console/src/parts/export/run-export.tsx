import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { onSessionChange, session } from '../../session/session.ts';
import { randomKey } from '../random-key.ts';
import { sentenceOf } from '../states.tsx';
import { askForFile, ExportFailure, type OpenExport, saveExport, TooLargeForBrowser } from './save-export.ts';

const TELL_MS_MIN = 200;

/** Saves an export and tells how far it is, on whatever page the reader is meanwhile; it ends when the user signs out. */
export async function runExport(
  open: OpenExport,
  { suggestedName, isLarge }: { suggestedName: string; isLarge: boolean },
): Promise<void> {
  const ended = new AbortController();
  const stopListening = onSessionChange(() => session.current ?? ended.abort());
  const id = `export-${randomKey()}`;
  try {
    const file = isLarge ? await askForFile(suggestedName) : undefined;
    const message = (bytes: number) => <Progress bytes={bytes} onCancel={() => ended.abort()} />;
    notifications.show({
      id,
      loading: true,
      autoClose: false,
      withCloseButton: false,
      title: 'Exporting',
      message: message(0),
    });
    const tell = seldom((bytes) => notifications.update({ id, message: message(bytes) }));
    const { name, bytes } = await saveExport(open, file, ended.signal, tell);
    notifications.hide(id);
    notifications.show({
      color: 'teal',
      title: 'Exported',
      message: `${name ?? 'The file'} is complete: ${sizeOf(bytes)}.`,
    });
  } catch (error) {
    notifications.hide(id);
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (isCancelled) notifications.show({ title: 'Not exported', message: 'The export was cancelled.' });
    else notifications.show({ color: 'red', autoClose: false, title: 'Not exported', message: why(error) });
  } finally {
    stopListening();
  }
}

function Progress({ bytes, onCancel }: { bytes: number; onCancel: () => void }) {
  return (
    <Group justify="space-between">
      <span>{bytes === 0 ? 'Waiting for the service' : `${sizeOf(bytes)} so far`}</span>
      <Button size="compact-sm" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  );
}

function why(error: unknown): string {
  if (error instanceof ExportFailure) return sentenceOf(error.failure);
  if (error instanceof TooLargeForBrowser) {
    return 'The file is larger than this browser can hold. Narrow the list by a filter, or use Chrome or Edge, which write it as it comes.';
  }
  return 'The file was cut off before its end, and is not kept. Try again.';
}

function seldom(tell: (bytes: number) => void): (bytes: number) => void {
  let last = 0;
  return (bytes) => {
    const now = performance.now();
    if (now - last < TELL_MS_MIN) return;
    last = now;
    tell(bytes);
  };
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** In thousands, as file managers mostly count. */
function sizeOf(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const amount = (bytes / 1000 ** step).toLocaleString(undefined, {
    maximumFractionDigits: step === 0 ? 0 : 1,
  });
  return `${amount} ${UNITS[step]}`;
}
