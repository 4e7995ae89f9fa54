import { plural, t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Failure } from '../../api/client.ts';
import { list, number } from '../../language/format.ts';
import { type FindingState, stateNames } from '../../parts/state.tsx';
import { Failed } from '../../parts/states.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { ActsOutcome } from '../triage/triage-act.ts';
import type { BulkAct, Target } from './bulk-act.tsx';
import { previewOnMatching } from './perform.ts';

/** Number of findings that an action changes, from a dry run if a filter is given; undefined while it loads. */
export function useAffectedFindings<Input>(act: BulkAct<Input>, target: Target) {
  const dryRun = useQuery<ActsOutcome | null, Failure>({
    queryKey: ['dry run', act.name, target.kind === 'matching' && [target.filter, target.states]],
    enabled: target.kind === 'matching',
    staleTime: 0,
    gcTime: 0,
    meta: { live: false },
    queryFn: () => (target.kind === 'chosen' ? null : previewOnMatching(act, target)),
  });
  const count = target.kind === 'chosen' ? target.findings.filter(act.takes).length : dryRun.data?.done;
  const matching = dryRun.data?.matching;
  return { count, matching, error: dryRun.error, again: () => void dryRun.refetch() };
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
      {act.words().preview(count)}
      {leftOut && (
        <Text size="sm" c="dimmed">
          {leftOut}
        </Text>
      )}
    </Text>
  );
}

function leftOutOf<Input>(act: BulkAct<Input>, target: Target, count: number): string | null {
  const { rule } = act.words();
  if (target.kind === 'matching') {
    const others = (target.total ?? count) - count;
    if (others <= 0) return null;
    return plural(others, {
      one: `# finding that matches will be skipped: ${rule}.`,
      other: `# findings that match will be skipped: ${rule}.`,
    });
  }
  const others = target.findings.filter((finding) => !act.takes(finding));
  if (others.length === 0) return null;
  const states = statesOf(others);
  return plural(others.length, {
    one: `# finding will be skipped (${states}): ${rule}.`,
    other: `# findings will be skipped (${states}): ${rule}.`,
  });
}

function statesOf(all: readonly Finding[]): string {
  const counts = new Map<FindingState, number>();
  for (const { state } of all) counts.set(state, (counts.get(state) ?? 0) + 1);
  const names = stateNames();
  return list(
    [...counts].map(([state, count]) => `${number(count)} ${names[state]}`),
    'unit',
  );
}
