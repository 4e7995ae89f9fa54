import { Slider } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { fullInstant } from '../parts/instant.tsx';
import { PAST } from './past-color.ts';

/** So small that a pixel is about one; a key moves by one. */
const STEPS = 480;
/** A key that is held down asks for one instant, not for each that it passes. */
const SETTLE_MS = 250;

interface Props {
  now: number;
  /** How far back it reaches, in milliseconds. */
  back: number;
  shown: number;
  /** Where it is held or was left, until that is shown; null: at what is shown. */
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
      thumbLabel="Instant"
      thumbValueText={(value) => instantWords(now, value)}
      color={PAST}
    />
  );
}

/** @param back of the present, in milliseconds; 0 or negative */
export const instantWords = (now: number, back: number): string =>
  back === 0 ? 'Now' : fullInstant(new Date(now + back).toISOString());
