import { plural, t } from '@lingui/core/macro';
import { AddToPlan, type Planned } from '../../plans/add-to-plan.tsx';
import type { Target } from './bulk-act.tsx';

/** Adds the selected findings to a plan. */
export function PlanDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const count = target.kind === 'chosen' ? target.findings.length : target.total;
  return (
    <AddToPlan
      planned={plannedOf(target)}
      about={
        count === undefined
          ? t`The findings that match will be part of the plan.`
          : plural(count, {
              one: '# finding will be part of the plan.',
              other: '# findings will be part of the plan.',
            })
      }
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
