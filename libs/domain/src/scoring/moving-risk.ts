import type { Since } from './asset-timeline.ts';
import { nextAgeStep } from './posture2/evidence.ts';
import type { AssessedFinding, DetectionFacts, ThreatenedAsset } from './posture2/facts.ts';
import { ageSteps } from './posture2/risk-timeline.ts';
import {
  RunningRisk,
  type TechniqueLookups,
  type ThreatCatalogueTimeline,
  type ThreatTimeline,
  techniquesOf,
} from './posture2/running-risk.ts';
import { isControl } from './posture2/susceptibility.ts';
import { targetingOf } from './posture2/targeting.ts';
import { RunningScore } from './running-score.ts';
import { mayCount, touchedAt } from './score-timeline.ts';
import type { ScoringChoice } from './scoring-choice.ts';
import { type StoredRiskStep, storedAssetRisk, storedScore } from './stored-risk.ts';

type Segments = Since<AssessedFinding>[];

/**
 * The risk of one asset by one model that moves on in time: a change of a few findings computes those alone, for any
 * number of others. Gives what `storedRisks` gives of the whole timeline.
 */
export class MovingRisk<A extends ThreatenedAsset> {
  /** Its findings keep their places; each has only its last state. */
  readonly timeline: ThreatTimeline<A>;
  private readonly running: { moveTo(at: number, touched: ReadonlySet<number>): StoredRiskStep<A>['value'] };
  /** Only while it moves: its rows take memory. */
  private catalogue: ThreatCatalogueTimeline | null;
  private at: number;
  private techniques: TechniqueLookups;

  /** By place the end of the finding, epoch ms; Infinity if it never counts. */
  private readonly ends: number[] = [];
  /** Places of findings with closed detections, which age. */
  private readonly aging = new Set<number>();

  private constructor(
    private readonly choice: ScoringChoice,
    timeline: ThreatTimeline<A>,
    catalogue: ThreatCatalogueTimeline,
    from: number,
  ) {
    this.timeline = { asset: timeline.asset, findings: [...timeline.findings] };
    this.catalogue = catalogue;
    this.at = from;
    this.techniques = techniquesOf(catalogue.at(from));
    const present: ThreatCatalogueTimeline = {
      at: (instant) => this.catalogue!.at(instant),
      instants: () => [],
    };
    this.running = runningBy(choice, this.timeline, present);
  }

  /** Computes the whole timeline. @param to as of `storedRisks` */
  static begin<A extends ThreatenedAsset>(
    choice: ScoringChoice,
    timeline: ThreatTimeline<A>,
    catalogue: ThreatCatalogueTimeline,
    from: number,
    to: number,
  ): { risk: MovingRisk<A>; steps: StoredRiskStep<A>[] } {
    const risk = new MovingRisk(choice, timeline, catalogue, from);
    const touched = touchedAt(timeline, catalogue, from, to, ownInstantsBy(choice));
    const steps = risk.through([...touched]);
    risk.timeline.asset = risk.timeline.asset.slice(-1);
    for (const [place, segments] of risk.timeline.findings.entries()) risk.keepLast(place, segments);
    return { risk, steps };
  }

  /**
   * Replaces findings, and moves on.
   * @param changed by place, each from its state at `from` on; new findings follow the last place
   * @param catalogue of their CVEs
   * @param to up to here they have ended, aged, and catalogues changed
   * @returns steps from `from` on; null, with nothing changed, if others would have to be computed too, or it is past `from`
   */
  move(
    changed: ReadonlyMap<number, Segments>,
    catalogue: ThreatCatalogueTimeline,
    from: number,
    to: number,
  ): StoredRiskStep<A>[] | null {
    if (from < this.at) return null;
    const places = [...changed.keys()];
    const findings = [...changed.values()];
    const before = places.flatMap((place) => this.timeline.findings[place] ?? []);
    if ([...before, ...findings.flat()].some(({ value }) => isControl(value))) return null;
    const touched = touchedAt({ asset: [], findings }, catalogue, from, to, ownInstantsBy(this.choice));
    const instants = [...touched.keys()];
    if (instants.some((at) => !hasSameTechniques(catalogue.at(at), this.techniques))) return null;
    for (const [place, segments] of changed) this.timeline.findings[place] = segments;
    this.catalogue = catalogue;
    const steps = this.through(
      instants.map((at) => [at, new Set([...touched.get(at)!].map((index) => places[index]!))]),
    );
    for (const [place, segments] of changed) this.keepLast(place, segments);
    return steps;
  }

  /** Places of the findings that end or age until an instant, by what is known of them. */
  dueUntil(to: number): number[] {
    const places = [...this.aging].filter((place) => this.nextAge(place, this.at) <= to);
    for (const [place, end] of this.ends.entries()) if (end <= to) places.push(place);
    return [...new Set(places)];
  }

  /** As `nextChange` and `unconfirmedEnd` of its timeline, without what the catalogues change. @param at epoch ms */
  due(at: number): { next: number | null; unconfirmed: number | null } {
    let [next, unconfirmed] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const end of this.ends) {
      if (end > at) next = Math.min(next, end);
      else unconfirmed = Math.min(unconfirmed, end);
    }
    for (const place of this.aging) next = Math.min(next, this.nextAge(place, at));
    return { next: finiteOrNull(next), unconfirmed: finiteOrNull(unconfirmed) };
  }

  private nextAge(place: number, at: number): number {
    const { detections } = this.timeline.findings[place]!.at(-1)!.value;
    return Math.min(...detections.map((one) => nextAgeStep(one, at) ?? Number.POSITIVE_INFINITY));
  }

  private through(touched: [number, ReadonlySet<number>][]): StoredRiskStep<A>[] {
    const steps = touched
      .sort(([a], [b]) => a - b)
      .map(([at, places]) => ({ from: at, value: this.running.moveTo(at, places) }));
    this.at = steps.at(-1)!.from;
    this.techniques = techniquesOf(this.catalogue!.at(this.at));
    this.catalogue = null;
    return steps;
  }

  private keepLast(place: number, segments: Segments): void {
    this.timeline.findings[place] = segments.slice(-1);
    const last = segments.at(-1)?.value;
    this.ends[place] = last && mayCount(last) ? last.activeUntil : Number.POSITIVE_INFINITY;
    if (this.choice.model === 'posture-2' && last?.state === 'Failed' && last.detections.some(isClosed)) {
      this.aging.add(place);
    } else {
      this.aging.delete(place);
    }
  }
}

const isClosed = ({ closedAt }: DetectionFacts): boolean => closedAt !== null;
const finiteOrNull = (instant: number): number | null => (Number.isFinite(instant) ? instant : null);

const ownInstantsBy = ({ model }: ScoringChoice) => (model === 'posture-2' ? ageSteps : undefined);

function runningBy<A extends ThreatenedAsset>(
  { model, incidentRates }: ScoringChoice,
  timeline: ThreatTimeline<A>,
  catalogue: ThreatCatalogueTimeline,
) {
  if (model === 'posture-1') {
    const score = new RunningScore(timeline, catalogue);
    return {
      moveTo: (at: number, touched: ReadonlySet<number>) => {
        const value = score.moveTo(at, touched);
        return value && { risk: storedScore(value), asset: value.asset };
      },
    };
  }
  const risk = new RunningRisk(timeline, catalogue, targetingOf(incidentRates));
  return {
    moveTo: (at: number, touched: ReadonlySet<number>) => {
      const value = risk.moveTo(at, touched);
      return value && { risk: storedAssetRisk(value), asset: value.asset };
    },
  };
}

const hasSameTechniques = (a: TechniqueLookups, b: TechniqueLookups): boolean =>
  a.techniqueOf === b.techniqueOf && a.mitigationsOf === b.mitigationsOf;
