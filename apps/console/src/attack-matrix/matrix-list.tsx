import { t } from '@lingui/core/macro';
import classes from './attack-matrix.module.css';
import type { Shown } from './shown-matrix.ts';
import { TechniqueCell } from './technique-cell.tsx';
import { TechniqueList } from './technique-list.tsx';

/** For narrow screens: the tactics one below the other, closed until they are tapped. */
export function MatrixList({ shown: { tactics } }: { shown: Shown }) {
  return (
    <section aria-label={t`Techniques by tactic`} className={classes.list}>
      {tactics.map(({ key, name, named, techniques }) => (
        <details key={key}>
          <summary>
            {name} <span className={classes.named}>{named}</span>
          </summary>
          <TechniqueList of={techniques} cell={(technique) => <TechniqueCell technique={technique} />} />
        </details>
      ))}
    </section>
  );
}
