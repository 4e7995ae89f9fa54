import { t } from '@lingui/core/macro';
import { Button, Popover, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { Suspense } from 'react';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { fullInstant } from '../parts/instant.tsx';
import { useAsOf } from './as-of.ts';
import { PAST } from './past-color.ts';

/** Only those who travel need the slider. */
const TimeTravel = retryableLazy(async () => (await import('./time-travel.tsx')).TimeTravel);

/** Selects the displayed time of the console. */
export function TimeControl() {
  const { asOf, set } = useAsOf();
  const [isOpen, { toggle, close }] = useDisclosure();
  const shown = asOf === null ? t`Now` : fullInstant(asOf);
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      width="min(400px, calc(100vw - 24px))"
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant={asOf === null ? 'default' : 'filled'}
          color={asOf === null ? undefined : PAST}
          size="xs"
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={toggle}
          aria-label={asOf === null ? t`Time travel: now` : t`Time travel: ${shown}`}
        >
          {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<Skeleton height={220} />}>
          <TimeTravel
            asOf={asOf}
            onPick={set}
            onNow={() => {
              set(null);
              close();
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
