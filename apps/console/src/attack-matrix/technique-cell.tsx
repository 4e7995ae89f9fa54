import { VisuallyHidden } from '@mantine/core';
import { CellLink } from '../app/links.tsx';
import classes from './attack-matrix.module.css';
import type { ShownTechnique } from './shown-matrix.ts';

/** A technique with its count, coloured; a link if findings name it. */
export function TechniqueCell({
  technique: { id, name, figure, spoken, level, to },
  link,
}: {
  technique: ShownTechnique;
  /** Attributes of the link, for the arrow keys. */
  link?: { 'data-place': string; tabIndex: number; onFocus: () => void };
}) {
  const content = (
    <span className={classes.inside}>
      <span className={classes.name} title={`${id} ${name}`} aria-hidden>
        {name}
      </span>
      <span className={classes.figures} aria-hidden>
        <span>{id}</span>
        {figure !== null && <b dir="ltr">{figure}</b>}
      </span>
      <VisuallyHidden>{spoken}</VisuallyHidden>
    </span>
  );
  return (
    <div className={classes.cell} data-heat={level} data-named={to !== null || undefined}>
      {to === null ? (
        content
      ) : (
        <CellLink to={to} {...link}>
          {content}
        </CellLink>
      )}
    </div>
  );
}
