import { ATTACK_TACTICS, type AttackDomain, type AttackTactic, type AttackTechnique } from '#libs/catalogue';
import type { CountedTechnique, TechniqueCounts } from '../findings/technique-counts.ts';
import type {
  MatrixSubtechniqueDto,
  MatrixTacticDto,
  MatrixTechniqueDto,
  OtherTechniqueDto,
  TechniqueCountsDto,
} from './attack-matrix.dto.ts';

export interface Matrix {
  tactics: MatrixTacticDto[];
  /** Techniques that findings name and the matrix does not show, except those of the other matrices. */
  others: OtherTechniqueDto[];
}

const NONE: TechniqueCounts = {
  ...{ failed: 0, accepted: 0, qualified: 0, notAssessed: 0 },
  ...{ detections: 0, controlsPassed: 0, controlsFailed: 0 },
};

/** The matrix of a domain: techniques by tactic with the counts of their findings. */
export function buildMatrix(
  domain: AttackDomain,
  techniques: readonly AttackTechnique[],
  counted: readonly CountedTechnique[],
): Matrix {
  const alone = new Map(counted.filter((one) => !one.withSubtechniques).map((one) => [one.id, one]));
  const families = new Map(counted.filter((one) => one.withSubtechniques).map((one) => [one.id, one]));
  const byId = new Map(techniques.map((one) => [one.id, one]));
  const shown = techniques.filter((one) => one.domain === domain && isShown(one));

  const withCounts = (technique: AttackTechnique): MatrixSubtechniqueDto => ({
    id: technique.id,
    name: technique.name,
    ...countsOf(alone.get(technique.id)),
  });
  const tactics = tacticsOf(domain, shown).map((tactic): MatrixTacticDto => {
    const members = shown.filter((one) => one.tactics.includes(tactic.shortName)).sort(byNameAndId);
    const ids = new Set(members.map(({ id }) => id));
    const isUnder = (one: AttackTechnique) => isSubtechnique(one) && ids.has(techniqueOf(one.id));
    const subtechniques = members.filter(isUnder);
    return {
      ...tactic,
      techniques: members
        .filter((one) => !isUnder(one))
        .map(
          (one): MatrixTechniqueDto => ({
            ...withCounts(one),
            withSubtechniques: countsOf(isSubtechnique(one) ? alone.get(one.id) : families.get(one.id)),
            subtechniques: subtechniques.filter(({ id }) => techniqueOf(id) === one.id).map(withCounts),
          }),
        ),
    };
  });
  return { tactics, others: [...alone.values()].flatMap((one) => otherOf(one, byId.get(one.id), domain)) };
}

const isShown = ({ revoked, deprecated, tactics }: AttackTechnique): boolean =>
  !revoked && !deprecated && tactics.length > 0;

/** The tactics of the matrix, then the tactics that only imported techniques name. */
function tacticsOf(
  domain: AttackDomain,
  shown: readonly AttackTechnique[],
): Omit<MatrixTacticDto, 'techniques'>[] {
  const listed: readonly AttackTactic[] = ATTACK_TACTICS[domain];
  const names = new Set(listed.map(({ shortName }) => shortName));
  const imported = new Set(shown.flatMap(({ tactics }) => tactics).filter((name) => !names.has(name)));
  return [
    ...listed,
    ...[...imported].sort().map((shortName) => ({ id: null, shortName, name: titleOf(shortName) })),
  ].filter(({ shortName }) => shown.some(({ tactics }) => tactics.includes(shortName)));
}

const titleOf = (shortName: string): string =>
  shortName
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

function otherOf(
  counted: CountedTechnique,
  technique: AttackTechnique | undefined,
  domain: AttackDomain,
): OtherTechniqueDto[] {
  if (technique && (technique.domain !== domain || isShown(technique))) return [];
  return [
    {
      id: counted.id,
      name: technique?.name ?? null,
      reason: reasonOf(technique),
      ...countsOf(counted),
    },
  ];
}

function reasonOf(technique: AttackTechnique | undefined): OtherTechniqueDto['reason'] {
  if (technique === undefined) return 'unknown';
  if (technique.revoked) return 'revoked';
  return technique.deprecated ? 'deprecated' : 'noTactic';
}

const countsOf = (counts: TechniqueCounts = NONE): TechniqueCountsDto => ({
  findings: {
    failed: counts.failed,
    accepted: counts.accepted,
    qualified: counts.qualified,
    notAssessed: counts.notAssessed,
  },
  detections: counts.detections,
  controls: { passed: counts.controlsPassed, failed: counts.controlsFailed },
});

const isSubtechnique = ({ id }: AttackTechnique): boolean => id.includes('.');
const techniqueOf = (id: string): string => id.split('.')[0]!;

const byNameAndId = (a: AttackTechnique, b: AttackTechnique): number =>
  a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
