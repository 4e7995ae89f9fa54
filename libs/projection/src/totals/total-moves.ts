import {
  type Asset,
  type AssetState,
  assetCountOf,
  type Effects,
  type Finding,
  type FindingState,
  type FindingType,
  type Level,
  severityLevelOf,
  severityOf,
  techniquesOf,
} from '#libs/domain';

/** Findings that are alike in everything that they are counted by. */
export interface FindingGroup {
  state: FindingState;
  type: FindingType;
  severity: Level;
  assetType: string;
  department: string;
}

/** Findings of a state and type that name a technique. */
export interface TechniqueGroup {
  technique: string;
  /** The technique or one of its sub-techniques. */
  isFamily: boolean;
  state: FindingState;
  type: FindingType;
}

/** How much the total of a group changes; never 0. */
export type Move<Group> = Group & { by: number };

/** How a batch changes the totals of its partition. */
export interface TotalMoves {
  findings: Move<FindingGroup>[];
  techniques: Move<TechniqueGroup>[];
}

export const NONE_MOVED: TotalMoves = { findings: [], techniques: [] };

/** What the effects of a batch contain about it. */
export type Touched = Pick<Effects, 'touchedAssets' | 'touchedFindings' | 'assetsBefore' | 'findingsBefore'>;

/**
 * Compares what changed with what it was before the batch.
 * @param countedAssets how many of the first assets of the partition the totals count; null: all
 */
export function totalMoves(
  { touchedAssets, touchedFindings, assetsBefore, findingsBefore }: Touched,
  countedAssets: number | null,
): TotalMoves {
  const tally = new Tally();
  const isCounted = ({ number }: Asset) => countedAssets === null || assetCountOf(number) <= countedAssets;
  for (const [id, before] of findingsBefore) {
    const { asset, findings } = touchedFindings.get(id)!;
    if (!isCounted(asset)) continue;
    if (before) tally.count(before, placeOf(assetsBefore.get(asset.number) ?? asset), -1);
    tally.count(findings.get(id)!.finding, placeOf(asset), 1);
  }
  for (const { asset, findings, unread } of touchedAssets) {
    const before = assetsBefore.get(asset.number);
    if (!before || !isCounted(asset)) continue;
    const [from, to] = [placeOf(before), placeOf(asset)];
    if (!isMoved(from, to)) continue;
    if (unread) throw new Error(`asset ${asset.number} has findings that are not read`);
    for (const [id, { finding }] of findings) {
      if (findingsBefore.has(id)) continue;
      tally.countGroup(finding, from, -1);
      tally.countGroup(finding, to, 1);
    }
  }
  return tally.moves;
}

type Place = Pick<FindingGroup, 'assetType' | 'department'>;

/** Assets whose findings count elsewhere since the batch: the content of all of them is needed. */
export const movedAssets = ({
  touchedAssets,
  assetsBefore,
}: Pick<Touched, 'touchedAssets' | 'assetsBefore'>): AssetState[] =>
  [...touchedAssets].filter(({ asset }) => {
    const before = assetsBefore.get(asset.number);
    return before && isMoved(placeOf(before), placeOf(asset));
  });

const isMoved = (from: Place, to: Place): boolean =>
  from.assetType !== to.assetType || from.department !== to.department;

/** As the table of assets has it. */
const placeOf = ({ typing, department, defaults }: Asset): Place => ({
  assetType: (typing ?? defaults.typing).type,
  department: department ?? defaults.department,
});

class Tally {
  private readonly findings = new Map<string, Move<FindingGroup>>();
  private readonly techniques = new Map<string, Move<TechniqueGroup>>();

  count(finding: Finding, place: Place, by: number): void {
    this.countGroup(finding, place, by);
    const { state, type } = finding;
    if (state === 'Retired') return;
    const techniques = techniquesOf(finding);
    for (const technique of techniques) this.countTechnique({ technique, isFamily: false, state, type }, by);
    for (const technique of new Set(techniques.map(familyOf))) {
      this.countTechnique({ technique, isFamily: true, state, type }, by);
    }
  }

  countGroup(finding: Finding, { assetType, department }: Place, by: number): void {
    const { state, type } = finding;
    const severity = severityLevelOf(severityOf(finding).value);
    const key = `${state}\0${type}\0${severity}\0${assetType}\0${department}`;
    const move = this.findings.get(key);
    if (move) move.by += by;
    else this.findings.set(key, { state, type, severity, assetType, department, by });
  }

  private countTechnique(group: TechniqueGroup, by: number): void {
    const key = `${group.state}\0${group.type}\0${group.isFamily}\0${group.technique}`;
    const move = this.techniques.get(key);
    if (move) move.by += by;
    else this.techniques.set(key, { ...group, by });
  }

  get moves(): TotalMoves {
    return {
      findings: [...this.findings.values()].filter(({ by }) => by !== 0),
      techniques: [...this.techniques.values()].filter(({ by }) => by !== 0),
    };
  }
}

/** As `left(id, 5)` of PostgreSQL, which counts code points. */
const familyOf = (id: string): string => {
  const start = id.slice(0, 5);
  return SURROGATE.test(start) ? [...id.slice(0, 10)].slice(0, 5).join('') : start;
};

const SURROGATE = /[\ud800-\udfff]/;
