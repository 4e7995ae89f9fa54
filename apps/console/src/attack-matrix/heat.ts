import { plural, t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';

export type Counts = Api['TechniqueCountsDto'];
export type Heat = 'failed' | 'detections' | 'controls';

interface HeatKind {
  label: () => string;
  /** Of the switch that hides techniques without them. */
  only: () => string;
  /** Number of techniques with them. */
  named: (techniques: number) => string;
  /** Count that sets the colour. */
  of: (counts: Counts) => number;
  /** Number of all counted findings, with and without influence on the colour: the link leads to as many. */
  total: (counts: Counts) => number;
  /** Filter of the list of findings, besides the technique. */
  filter: string;
  words: (counts: Counts) => string;
}

/** What the colours of the matrix show. */
export const HEATS: Record<Heat, HeatKind> = {
  failed: {
    label: () => t`Failed findings`,
    only: () => t`Only techniques with failed findings`,
    named: (techniques) =>
      plural(techniques, { one: '# with failed findings', other: '# with failed findings' }),
    of: ({ findings }) => findings.failed,
    total: ({ findings }) => findings.failed,
    filter: 'state=Failed',
    words: ({ findings }) => plural(findings.failed, { one: '# failed finding', other: '# failed findings' }),
  },
  detections: {
    label: () => t`Detections`,
    only: () => t`Only techniques with detections`,
    named: (techniques) => plural(techniques, { one: '# with detections', other: '# with detections' }),
    of: ({ detections }) => detections,
    total: ({ detections }) => detections,
    filter: 'state=Failed&type=edr',
    words: ({ detections }) => plural(detections, { one: '# detection', other: '# detections' }),
  },
  controls: {
    label: () => t`Controls`,
    only: () => t`Only techniques with controls`,
    named: (techniques) => plural(techniques, { one: '# with controls', other: '# with controls' }),
    of: ({ controls }) => controls.failed,
    total: ({ controls }) => controls.failed + controls.passed,
    filter: 'state=Failed,Qualified&type=ca,uba',
    words: ({ controls: { failed: failing, passed } }) => {
      const failed = number(failing);
      return plural(failing + passed, {
        one: `${failed} of # control failed`,
        other: `${failed} of # controls failed`,
      });
    },
  },
};

export const isHeat = (value: string | undefined): value is Heat =>
  value !== undefined && Object.hasOwn(HEATS, value);

/** Steps of the colour, besides 0. */
export const HEAT_LEVELS = [1, 2, 3, 4] as const;

/** 0 without any, then those of `HEAT_LEVELS`, on a logarithmic scale, because few techniques have most findings. */
export const heatLevel = (value: number, max: number): number =>
  value === 0 ? 0 : Math.max(1, Math.ceil((HEAT_LEVELS.length * Math.log1p(value)) / Math.log1p(max)));
