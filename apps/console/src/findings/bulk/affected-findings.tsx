import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Failure } from '../../api/client.ts';
import { findings } from '../../parts/finding-count.ts';
import { stateNames } from '../../parts/state.tsx';
import { Failed } from '../../parts/states.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { BulkAct, Target } from './bulk-act.ts';

/** Number of findings that an action changes, from a dry run if a filter is given; undefined while it loads. */
export function useAffectedFindings<Input>(act: BulkAct<Input>, target: Target) {
  const dryRun = useQuery<number, Failure>({
    queryKey: ['dry run', act.verb, target.kind === 'matching' && target.filter],
    enabled: target.kind === 'matching',
    staleTime: 0,
    gcTime: 0,
    meta: { live: false },
    queryFn: async () => {
      if (target.kind === 'chosen') return 0;
      const { data, error } = await act.many(target.filter, act.dryRunInput, { dryRun: true });
      if (!data) throw error;
      return data.matching;
    },
  });
  const count = target.kind === 'chosen' ? target.findings.filter(act.takes).length : dryRun.data;
  return { count, error: dryRun.error, again: () => void dryRun.refetch() };
}

/** Shows how many findings the action will change and skip. */
export function AffectedFindings<Input>({
  act,
  target,
  affected: { count, error, again },
}: {
  act: BulkAct<Input>;
  target: Target;
  affected: ReturnType<typeof useAffectedFindings>;
}) {
  if (error) return <Failed error={error} onRetry={again} />;
  if (count === undefined) return <Skeleton height={44} aria-label={t`Counting`} role="status" />;
  const leftOut = leftOutOf(act, target, count);
  return (
    <Text component="div" role="status">
      <Trans>
        {count === 0 ? 'No findings' : <b>{findings(count)}</b>} will be {act.done}.
        {leftOut && (
          <Text size="sm" c="dimmed">
            {leftOut}
          </Text>
        )}
      </Trans>
    </Text>
  );
}

function leftOutOf<Input>(act: BulkAct<Input>, target: Target, count: number): string | null {
  if (target.kind === 'matching') {
    const others = (target.total ?? count) - count;
    return others > 0 ? t`${findings(others)} that match will be skipped: ${act.rule}.` : null;
  }
  const others = target.findings.filter((finding) => !act.takes(finding));
  if (others.length === 0) return null;
  return t`${findings(others.length)} will be skipped (${statesOf(others)}): ${act.rule}.`;
}

function statesOf(all: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(stateNames()[state], (counts.get(stateNames()[state]) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
