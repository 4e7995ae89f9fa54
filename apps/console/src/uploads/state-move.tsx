import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type FindingState, State } from '../parts/state.tsx';

/** The state before a change, if it was another one, and the state after it. */
export function StateMove({ from, to }: { from: string | null; to: string | null }) {
  if (to === null) return '–';
  return (
    <Group gap={4} wrap="nowrap">
      {from !== null && from !== to && (
        <>
          <State of={from as FindingState} />
          <IconArrowRight size={14} className="mirrored" aria-label={t`becomes`} />
        </>
      )}
      <State of={to as FindingState} />
    </Group>
  );
}
