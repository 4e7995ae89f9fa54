import { t } from '@lingui/core/macro';
import { Chip, Group } from '@mantine/core';
import { number } from '../language/format.ts';

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  count: number;
}

/** One of several parts of a list, with the number of its rows. */
export function ChoiceChips<Value extends string>({
  choices,
  value,
  onChoose,
}: {
  choices: readonly Choice<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <Chip.Group value={value} onChange={(chosen) => onChoose(chosen as Value)}>
      <Group gap={6} role="radiogroup" aria-label={t`Show`}>
        {choices.map((choice) => (
          <Chip key={choice.value} size="xs" value={choice.value}>
            {choice.label} {number(choice.count)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
