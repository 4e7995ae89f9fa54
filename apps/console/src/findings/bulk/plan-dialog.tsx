import { t } from '@lingui/core/macro';
import { findings } from '../../parts/finding-count.ts';
import { AddToPlan, type Planned } from '../../plans/add-to-plan.tsx';
import type { Target } from './bulk-act.ts';

/** Adds the selected findings to a plan. */
export function PlanDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const count = target.kind === 'chosen' ? target.findings.length : target.total;
  return (
    <AddToPlan
      planned={plannedOf(target)}
      what={count === undefined ? t`The findings that match` : findings(count)}
      onClose={onClose}
    />
  );
}

function plannedOf(target: Target): Planned {
  if (target.kind === 'chosen') return { add: target.findings.map(({ id }) => id) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...target.filter, state: target.states })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return { query: query.toString() };
}
