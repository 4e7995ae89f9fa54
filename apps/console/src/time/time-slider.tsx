import { t } from '@lingui/core/macro';
import { Slider } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { fullInstant } from '../parts/instant.tsx';
import { PAST } from './past-color.ts';

/** About one step per pixel; a key moves by one step. */
const STEPS = 480;
/** Delay before a request, so that a held key does not request each step. */
const SETTLE_MS = 250;

interface Props {
  now: number;
  /** Range, in milliseconds. */
  back: number;
  shown: number;
  /** Position while it is moved, until the data is displayed; null: the displayed time. */
  moved: number | null;
  onMove: (value: number | null) => void;
  onPick: (asOf: string) => void;
  onNow: () => void;
}

export function TimeSlider({ now, back, shown, moved, onMove, onPick, onNow }: Props) {
  const settle = useDebouncedCallback((value: number) => {
    onMove(null);
    if (value === 0) onNow();
    else onPick(new Date(now + value).toISOString());
  }, SETTLE_MS);
  return (
    <Slider
      min={-back}
      max={0}
      step={back / STEPS}
      value={moved ?? Math.max(shown - now, -back)}
      onChange={onMove}
      onChangeEnd={settle}
      label={null}
      thumbLabel={t`Time`}
      thumbValueText={(value) => instantWords(now, value)}
      color={PAST}
    />
  );
}

/** @param back offset from now in milliseconds; 0 or negative */
export const instantWords = (now: number, back: number): string =>
  back === 0 ? t`Now` : fullInstant(new Date(now + back).toISOString());
