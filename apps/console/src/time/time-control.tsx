import { Button, Group, Popover, SegmentedControl, Slider, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { fullInstant } from '../parts/instant.tsx';
import { useAsOf } from './as-of.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the slider reaches; steps are so small that a pixel is about one. */
const REACHES = { Day: DAY_MS, Week: 7 * DAY_MS, Month: 30 * DAY_MS, Year: 365 * DAY_MS } as const;
const STEPS = 480;

/** Takes the whole console to an instant: by a slider for a look around, by a date for what is known exactly. */
export function TimeControl() {
  const { asOf, set } = useAsOf();
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      width={360}
      position="bottom-end"
      trapFocus
    >
      <Popover.Target>
        <Button
          variant={asOf === null ? 'default' : 'filled'}
          color={asOf === null ? undefined : 'orange.9'}
          size="xs"
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={toggle}
          aria-label="Time travel"
        >
          {asOf === null ? 'Now' : fullInstant(asOf)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TimeTravel
          key={asOf}
          asOf={asOf}
          onPick={set}
          onNow={() => {
            set(null);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function TimeTravel({
  asOf,
  onPick,
  onNow,
}: {
  asOf: string | null;
  onPick: (asOf: string) => void;
  onNow: () => void;
}) {
  const [now] = useState(Date.now);
  const shown = asOf === null ? now : Date.parse(asOf);
  const [reach, setReach] = useState<keyof typeof REACHES>(() => reachOf(now - shown));
  const back = REACHES[reach];
  const [at, setAt] = useState(shown);
  return (
    <Stack gap="sm">
      <Text size="sm">See the console as it was at an instant:</Text>
      <SegmentedControl
        size="xs"
        data={Object.keys(REACHES)}
        value={reach}
        onChange={(value) => setReach(value as keyof typeof REACHES)}
        aria-label="How far back the slider reaches"
      />
      <Slider
        min={-back}
        max={0}
        step={back / STEPS}
        value={Math.max(at - now, -back)}
        onChange={(value) => setAt(now + value)}
        onChangeEnd={(value) => (value === 0 ? onNow() : onPick(new Date(now + value).toISOString()))}
        label={(value) => fullInstant(new Date(now + value).toISOString())}
        thumbLabel="Instant"
        color="orange.9"
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get('instant'));
          if (given) onPick(new Date(given).toISOString());
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            key={at}
            type="datetime-local"
            name="instant"
            label="Or exactly"
            step={1}
            defaultValue={localInput(at)}
            max={localInput(now)}
            flex={1}
          />
          <Button type="submit" variant="default">
            Show
          </Button>
        </Group>
      </form>
      {asOf !== null && <Button onClick={onNow}>Back to now</Button>}
    </Stack>
  );
}

const reachOf = (back: number): keyof typeof REACHES =>
  (Object.keys(REACHES) as (keyof typeof REACHES)[]).find((reach) => back <= REACHES[reach]) ?? 'Year';

/** As `datetime-local` takes it: in the reader's own zone, to the second. */
function localInput(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
