import classes from './attack-matrix.module.css';
import type { Shown } from './shown-matrix.ts';
import { TechniqueCell } from './technique-cell.tsx';

/** For narrow screens: the tactics one below the other, closed until they are tapped. */
export function MatrixList({ shown: { tactics } }: { shown: Shown }) {
  return (
    <section aria-label="Techniques by tactic" className={classes.list}>
      {tactics.map(({ key, name, named, techniques }) => (
        <details key={key}>
          <summary>
            {name} <span className={classes.named}>{named}</span>
          </summary>
          <ul className={classes.techniques}>
            {techniques.map((technique) => (
              <li key={technique.id}>
                <TechniqueCell technique={technique} />
                {technique.subtechniques.length > 0 && (
                  <ul className={classes.subtechniques}>
                    {technique.subtechniques.map((one) => (
                      <li key={one.id}>
                        <TechniqueCell technique={one} />
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
