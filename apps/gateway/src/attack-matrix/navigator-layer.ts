import { ATTACK_VERSIONS } from '#libs/catalogue';
import { isoTime } from '#libs/domain';
import type {
  AttackMatrixDto,
  MatrixScore,
  NavigatorLayerDto,
  NavigatorTechniqueDto,
  TechniqueCountsDto,
} from './attack-matrix.dto.ts';

/** The first version of the Navigator that reads layers of version 4.5. */
const NAVIGATOR_VERSION = '4.9.0';
const LAYER_VERSION = '4.5';

const SCORES: Record<
  MatrixScore,
  { name: string; of: (counts: TechniqueCountsDto) => number; color: string }
> = {
  failed: { name: 'failed findings', of: ({ findings }) => findings.failed, color: '#e5484d' },
  detections: { name: 'detections', of: ({ detections }) => detections, color: '#8e4ec6' },
  controls: { name: 'failed controls', of: ({ controls }) => controls.failed, color: '#f76b15' },
};

/** A matrix as a layer of the ATT&CK Navigator: each technique that findings name, once for all tactics. */
export function navigatorLayer(matrix: AttackMatrixDto, score: MatrixScore): NavigatorLayerDto {
  const { name, of, color } = SCORES[score];
  const named = new Map<string, NavigatorTechniqueDto>();
  for (const technique of matrix.tactics.flatMap(({ techniques }) => techniques)) {
    const subtechniques = technique.subtechniques.filter(hasFindings);
    if (hasFindings(technique) || subtechniques.length > 0) {
      named.set(technique.id, {
        ...annotation(technique, of),
        showSubtechniques: subtechniques.length > 0 || named.get(technique.id)?.showSubtechniques === true,
      });
    }
    for (const one of subtechniques) named.set(one.id, annotation(one, of));
  }
  const techniques = [...named.values()];
  return {
    name: `Risk Posture: ${name}`,
    versions: {
      ...(matrix.attackVersion !== null && { attack: matrix.attackVersion.split('.')[0]! }),
      navigator: NAVIGATOR_VERSION,
      layer: LAYER_VERSION,
    },
    domain: `${matrix.domain}-attack`,
    description: `Number of ${name} by technique, as of ${matrix.at}`,
    sorting: 3,
    layout: {
      layout: 'side',
      showID: true,
      showName: true,
      showAggregateScores: true,
      countUnscored: false,
      aggregateFunction: 'sum',
      expandedSubtechniques: 'annotated',
    },
    hideDisabled: false,
    techniques,
    gradient: {
      colors: ['#ffffff', color],
      minValue: 0,
      maxValue: Math.max(1, ...techniques.map(({ score: value = 0 }) => value)),
    },
    legendItems: [],
    metadata: [{ name: 'as of', value: matrix.at }],
  };
}

function annotation(
  technique: TechniqueCountsDto & { id: string },
  of: (counts: TechniqueCountsDto) => number,
): NavigatorTechniqueDto {
  const { findings, detections, controls } = technique;
  const score = of(technique);
  return {
    techniqueID: technique.id,
    ...(score > 0 && { score }),
    comment:
      `Findings: ${findings.failed} failed, ${findings.accepted} accepted, ${findings.qualified} qualified, ` +
      `${findings.notAssessed} not assessed. Detections: ${detections}. ` +
      `Controls: ${controls.failed} failed, ${controls.passed} passed.`,
  };
}

const hasFindings = ({ findings }: TechniqueCountsDto): boolean =>
  findings.failed + findings.accepted + findings.qualified + findings.notAssessed > 0;

/** Version of the data that the service ships; null if a later one may have been imported. */
export const attackVersionOf = (domain: AttackMatrixDto['domain'], areImported: boolean): string | null =>
  areImported ? null : ATTACK_VERSIONS[domain];

/** `attack-matrix-enterprise-2026-05-31T08-00-00-000Z.json`: a name that every file system takes. */
export const layerFileName = ({ domain }: AttackMatrixDto, now: number): string =>
  `attack-matrix-${domain}-${isoTime(now).replace(/[:.]/g, '-')}.json`;
