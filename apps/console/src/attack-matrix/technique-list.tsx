import type { ReactNode } from 'react';
import classes from './attack-matrix.module.css';
import type { ShownTactic, ShownTechnique } from './shown-matrix.ts';

/** The techniques of a tactic, each with its sub-techniques below it. @param cell shows one of either */
export function TechniqueList({
  of: techniques,
  cell,
}: {
  of: ShownTactic['techniques'];
  cell: (technique: ShownTechnique) => ReactNode;
}) {
  return (
    <ul className={classes.techniques}>
      {techniques.map((technique) => (
        <li key={technique.id}>
          {cell(technique)}
          {technique.subtechniques.length > 0 && (
            <ul className={classes.subtechniques}>
              {technique.subtechniques.map((one) => (
                <li key={one.id}>{cell(one)}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
