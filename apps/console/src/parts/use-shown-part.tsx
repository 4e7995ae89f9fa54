import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { number } from '../language/format.ts';

const AT_ONCE = 20;
const MORE_AT_ONCE = 200;

/** The visible part of a loaded list, and a button to show more. */
export function useShownPart<T>(
  all: readonly T[],
  atOnce = AT_ONCE,
): { shown: readonly T[]; more: ReactNode } {
  const [count, setCount] = useState(atOnce);
  const left = all.length - count;
  const next = number(Math.min(left, MORE_AT_ONCE));
  const total = number(all.length);
  const more = left > 0 && (
    <Button variant="default" size="xs" mt="sm" onClick={() => setCount(count + MORE_AT_ONCE)}>
      <Trans>
        Show {next} more of {total}
      </Trans>
    </Button>
  );
  return { shown: all.slice(0, count), more };
}
