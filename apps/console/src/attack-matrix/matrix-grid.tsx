import { t } from '@lingui/core/macro';
import { useDirection } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import classes from './attack-matrix.module.css';
import { moveInGrid } from './move-in-grid.ts';
import type { Shown, ShownTechnique } from './shown-matrix.ts';
import { TechniqueCell } from './technique-cell.tsx';
import { TechniqueList } from './technique-list.tsx';

/**
 * A column for each tactic. The arrow keys, Home and End move between the techniques that findings name; Tab enters the
 * matrix once and leaves it again, because it can have hundreds of links.
 */
export function MatrixGrid({ shown: { tactics } }: { shown: Shown }) {
  const place = useRef<HTMLElement>(null);
  const { dir } = useDirection();
  const [focused, setFocused] = useState<string | null>(null);
  const columns = tactics.map(({ key, techniques }) =>
    techniques
      .flatMap((one): ShownTechnique[] => [one, ...one.subtechniques])
      .filter(({ to }) => to !== null)
      .map((one) => placeOf(key, one)),
  );
  const current = columns.flat().find((cell) => cell === focused) ?? columns.flat()[0];

  function move(event: KeyboardEvent) {
    // Shortcuts of the browser, and the keys that scroll the matrix.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target === event.currentTarget) return;
    const next = current === undefined ? undefined : moveInGrid(columns, current, keyOf(event.key, dir));
    if (next === undefined) return;
    event.preventDefault();
    setFocused(next);
    place.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(next)}"]`)?.focus();
  }

  const cell = (tactic: string, technique: ShownTechnique) => {
    const key = placeOf(tactic, technique);
    return (
      <TechniqueCell
        technique={technique}
        link={{ 'data-place': key, tabIndex: key === current ? 0 : -1, onFocus: () => setFocused(key) }}
      />
    );
  };

  return (
    <section
      ref={place}
      className={classes.grid}
      style={{ gridTemplateColumns: `repeat(${tactics.length}, minmax(132px, 1fr))` }}
      aria-label={t`Techniques by tactic`}
      onKeyDown={move}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
    >
      {tactics.map(({ key, name, named, techniques }) => (
        <section key={key} aria-label={name} className={classes.tactic}>
          <h2 className={classes.heading}>
            {name}
            <span className={classes.named}>{named}</span>
          </h2>
          <TechniqueList of={techniques} cell={(technique) => cell(key, technique)} />
        </section>
      ))}
    </section>
  );
}

/** Right to left, the next column is on the left. */
function keyOf(key: string, dir: 'ltr' | 'rtl'): string {
  if (dir === 'ltr') return key;
  return { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[key] ?? key;
}

/** A technique occurs under several tactics. */
const placeOf = (tactic: string, { id }: ShownTechnique): string => `${tactic} ${id}`;
