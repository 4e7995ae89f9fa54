import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Failure } from '../../api/client.ts';
import { STATE_NAMES } from '../../parts/state.tsx';
import { Failed } from '../../parts/states.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { BulkAct, Target } from './bulk-act.ts';

/** How many findings an act means, asked by a dry run where a filter is given; undefined: not known yet. */
export function useMeant<Words>(act: BulkAct<Words>, target: Target) {
  const dryRun = useQuery<number, Failure>({
    queryKey: ['dry run', act.verb, target.kind === 'matching' && target.filter],
    enabled: target.kind === 'matching',
    staleTime: 0,
    gcTime: 0,
    meta: { live: false },
    queryFn: async () => {
      if (target.kind === 'chosen') return 0;
      const { data, error } = await act.many(target.filter, act.noWords, { dryRun: true });
      if (!data) throw error;
      return data.matching;
    },
  });
  const count = target.kind === 'chosen' ? target.findings.filter(act.takes).length : dryRun.data;
  return { count, error: dryRun.error, again: () => void dryRun.refetch() };
}

/** Says before the act what it will do, and what it will leave alone. */
export function Meant<Words>({
  act,
  target,
  meant: { count, error, again },
}: {
  act: BulkAct<Words>;
  target: Target;
  meant: ReturnType<typeof useMeant>;
}) {
  if (error) return <Failed error={error} onRetry={again} />;
  if (count === undefined) return <Skeleton height={44} aria-label="Counting" role="status" />;
  const leftOut = leftOutOf(act, target, count);
  return (
    <Text component="div" role="status">
      {count === 0 ? 'Nothing' : <b>{findings(count)}</b>} will be {act.done}.
      {leftOut && (
        <Text size="sm" c="dimmed">
          {leftOut}
        </Text>
      )}
    </Text>
  );
}

function leftOutOf<Words>(act: BulkAct<Words>, target: Target, count: number): string | null {
  if (target.kind === 'matching') {
    const others = (target.total ?? count) - count;
    return others > 0 ? `${findings(others)} that match will be left out: ${act.rule}.` : null;
  }
  const others = target.findings.filter((finding) => !act.takes(finding));
  if (others.length === 0) return null;
  return `${findings(others.length)} will be left out (${statesOf(others)}): ${act.rule}.`;
}

export const findings = (count: number): string =>
  count === 1 ? '1 finding' : `${count.toLocaleString()} findings`;

function statesOf(all: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(STATE_NAMES[state], (counts.get(STATE_NAMES[state]) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
