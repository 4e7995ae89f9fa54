import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

export type Counts = Api['TechniqueCountsDto'];
export type Heat = 'failed' | 'detections' | 'controls';

interface HeatKind {
  label: string;
  noun: string;
  /** Count that sets the colour. */
  of: (counts: Counts) => number;
  /** Number of all counted findings, with and without influence on the colour: the link leads to as many. */
  total: (counts: Counts) => number;
  /** Filter of the list of findings, besides the technique. */
  filter: string;
  words: (counts: Counts) => string;
}

const many = (count: number, one: string): string =>
  `${count.toLocaleString()} ${one}${count === 1 ? '' : 's'}`;

/** What the colours of the matrix show. */
export const HEATS: Record<Heat, HeatKind> = {
  failed: {
    label: 'Failed findings',
    noun: 'failed findings',
    of: ({ findings }) => findings.failed,
    total: ({ findings }) => findings.failed,
    filter: 'state=Failed',
    words: ({ findings }) => many(findings.failed, t`failed finding`),
  },
  detections: {
    label: 'Detections',
    noun: 'detections',
    of: ({ detections }) => detections,
    total: ({ detections }) => detections,
    filter: 'state=Failed&type=edr',
    words: ({ detections }) => many(detections, 'detection'),
  },
  controls: {
    label: 'Controls',
    noun: 'controls',
    of: ({ controls }) => controls.failed,
    total: ({ controls }) => controls.failed + controls.passed,
    filter: 'state=Failed,Qualified&type=ca,uba',
    words: ({ controls }) =>
      t`${controls.failed.toLocaleString()} of ${many(controls.failed + controls.passed, 'control')} failed`,
  },
};

export const isHeat = (value: string | undefined): value is Heat => value !== undefined && value in HEATS;

/** Steps of the colour, besides 0. */
export const HEAT_LEVELS = [1, 2, 3, 4] as const;

/** 0 without any, then those of `HEAT_LEVELS`, on a logarithmic scale, because few techniques have most findings. */
export const heatLevel = (value: number, max: number): number =>
  value === 0 ? 0 : Math.max(1, Math.ceil((HEAT_LEVELS.length * Math.log1p(value)) / Math.log1p(max)));
