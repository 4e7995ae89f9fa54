import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense } from 'react';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { useIsCovered } from '../session/session.ts';

const QuickSearchDialog = retryableLazy(async () => (await import('./quick-search-dialog.tsx')).default);

/** Opens the search for everything: by the button, or by Ctrl+K (⌘K) anywhere, also while the user types. */
export function QuickSearch() {
  const [isOpen, { open, close }] = useDisclosure();
  const isCovered = useIsCovered();
  useHotkeys([['mod+K', () => !isCovered && open()]], []);
  return (
    <>
      <Tooltip label={t`Search everything (Ctrl+K)`}>
        <ActionIcon variant="subtle" size="lg" aria-label={t`Search everything`} onClick={open}>
          <IconSearch size={20} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <QuickSearchDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
