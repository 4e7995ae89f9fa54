import { type AssetState, type Effects, type Finding, posture2 } from '#libs/domain';

/** What a window says of the detections of one finding. */
interface FindingVerdicts {
  assetId: string;
  /** Key of a detection → whether it is a true positive. */
  positive: Map<string, boolean>;
}

/** Assets that got a true-positive detection within a window. The last word on a detection within it counts. */
export class NewDetections {
  private readonly byFinding = new Map<string, FindingVerdicts>();

  /** @param effects of an event within the window */
  readonly take = ({ touchedFindings }: Pick<Effects, 'touchedFindings'>): void => {
    for (const [id, { asset, findings }] of touchedFindings) {
      const { finding } = findings.get(id)!;
      if (finding.type !== 'edr') continue;
      const known = this.byFinding.get(id)?.positive ?? [];
      this.byFinding.set(id, { assetId: asset.id, positive: new Map([...known, ...positiveOf(finding)]) });
    }
  };

  /**
   * The ids of assets with a detection that is a true positive, and was none before.
   *
   * @param states of the same partition at the beginning of the window
   */
  assets(states: readonly AssetState[]): Set<string> {
    const before = new Map(states.flatMap(({ findings }) => [...findings]));
    const found = [...this.byFinding].filter(([id, { positive }]) => {
      const tracked = before.get(id);
      const earlier = tracked && positiveOf(tracked.finding);
      return [...positive].some(([key, isPositive]) => isPositive && earlier?.get(key) !== true);
    });
    return new Set(found.map(([, { assetId }]) => assetId));
  }

  /** To be called before the next partition. */
  clear(): void {
    this.byFinding.clear();
  }
}

/** Key of a detection → whether it is confirmed, or closed as true positive. */
const positiveOf = ({ instances }: Finding): Map<string, boolean> =>
  new Map(
    instances.map((instance) => {
      const state = posture2.detectionState(instance);
      const isPositive = instance.counted && instance.status === 'fail';
      return [instance.key, isPositive && (state === 'confirmed' || state === 'resolved')];
    }),
  );
