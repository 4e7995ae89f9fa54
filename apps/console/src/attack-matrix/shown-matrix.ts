import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import { type Counts, HEATS, type Heat, heatLevel } from './heat.ts';

/** A technique or a sub-technique as the matrix shows it. */
export interface ShownTechnique {
  id: string;
  name: string;
  /** Displayed count; null without findings. */
  figure: string | null;
  /** Name and count in words, for screen readers. */
  spoken: string;
  level: number;
  /** List of the counted findings; null if it would be empty. */
  to: string | null;
}

export interface ShownTactic {
  key: string;
  name: string;
  /** How many techniques and sub-techniques have findings, in words. */
  named: string;
  techniques: readonly (ShownTechnique & { subtechniques: readonly ShownTechnique[] })[];
}

export interface Shown {
  heat: Heat;
  /** Greatest count of a technique. */
  max: number;
  tactics: readonly ShownTactic[];
}

/** The matrix with its colours. Sub-techniques are shown if findings name them. */
export function shownMatrix(matrix: Api['AttackMatrixDto'], heat: Heat, isOnlyNamed: boolean): Shown {
  const all = matrix.tactics.flatMap(({ techniques }) =>
    techniques.flatMap((one): Counts[] => [one, ...one.subtechniques]),
  );
  const max = Math.max(0, ...all.map(HEATS[heat].of));
  const tactics = matrix.tactics.map(({ shortName, name, techniques }): ShownTactic => {
    const shown = techniques.map((technique) => ({
      ...shownTechnique(technique, heat, max),
      subtechniques: technique.subtechniques
        .map((one) => shownTechnique(one, heat, max))
        .filter(({ to }) => to !== null),
    }));
    return {
      key: shortName,
      name,
      named: HEATS[heat].named(
        shown.flatMap((one) => [one, ...one.subtechniques]).filter(({ to }) => to !== null).length,
      ),
      techniques: shown.filter(
        ({ to, subtechniques }) => !isOnlyNamed || to !== null || subtechniques.length > 0,
      ),
    };
  });
  return { heat, max, tactics };
}

export function shownTechnique(
  { id, name, ...counts }: Counts & { id: string; name: string },
  heat: Heat,
  max: number,
): ShownTechnique {
  const { of, total, filter, words } = HEATS[heat];
  const value = of(counts);
  const hasFindings = total(counts) > 0;
  return {
    id,
    name,
    figure: hasFindings ? figureOf(value, total(counts), heat) : null,
    spoken: `${id} ${name}: ${words(counts)}`,
    level: heatLevel(value, max),
    to: hasFindings ? `/findings?${filter}&technique=${encodeURIComponent(id)}` : null,
  };
}

const figureOf = (value: number, total: number, heat: Heat): string =>
  heat === 'controls' ? `${number(value)} / ${number(total)}` : number(value);
