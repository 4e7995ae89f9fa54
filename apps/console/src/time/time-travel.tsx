import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { InstantForm } from './instant-form.tsx';
import { REACHES, type Reach, reachOf } from './reach.ts';
import { ScoreLine } from './score-line.tsx';
import { instantWords, TimeSlider } from './time-slider.tsx';

interface Props {
  asOf: string | null;
  onPick: (asOf: string) => void;
  onNow: () => void;
}

/** A slider with the score trend, and an input for an exact time. */
export function TimeTravel({ asOf, onPick, onNow }: Props) {
  const [now] = useState(Date.now);
  const shown = asOf === null ? now : Date.parse(asOf);
  const [reach, setReach] = useState<Reach>(() => reachOf(now - shown));
  const [moved, setMoved] = useState<number | null>(null);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550}>
          {moved !== null || asOf !== null ? instantWords(now, moved ?? shown - now) : t`Current state`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onNow} disabled={asOf === null}>
          <Trans>Back to now</Trans>
        </Button>
      </Group>
      <SegmentedControl
        size="xs"
        data={Object.entries(REACHES).map(([value, { label }]) => ({ value, label: i18n._(label) }))}
        value={reach}
        onChange={(value) => setReach(value as Reach)}
        aria-label={t`Slider range`}
      />
      <Stack gap={4}>
        <ScoreLine reach={reach} now={now} />
        <TimeSlider
          now={now}
          back={REACHES[reach].ms}
          shown={shown}
          moved={moved}
          onMove={setMoved}
          onPick={onPick}
          onNow={onNow}
        />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {i18n._(REACHES[reach].ago)}
          </Text>
          <Text size="xs" c="dimmed">
            <Trans>now</Trans>
          </Text>
        </Group>
      </Stack>
      <InstantForm
        shown={shown}
        now={now}
        onPick={(instant) => {
          setReach(reachOf(now - Date.parse(instant)));
          onPick(instant);
        }}
      />
    </Stack>
  );
}
