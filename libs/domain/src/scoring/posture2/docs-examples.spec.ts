import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import type { Level } from '../../events.ts';
import { assetRisk } from './asset-risk.ts';
import { POSTURE_2, scoreAsset } from './asset-score.ts';
import { assetThreats } from './asset-threats.ts';
import { OBSTACLE_PROBABILITIES, SEVERITY_PROBABILITIES } from './base-hazard.ts';
import { AGE_FACTORS, DETECTION_STATES, OTHER_TACTICS, TACTIC_WEIGHTS } from './evidence.ts';
import { explainMove } from './explain/explain-move.ts';
import type { AssessedFinding, DetectionFacts, ThreatenedAsset, ThreatenedSubject } from './facts.ts';
import { addGroupSums, EMPTY_GROUP_SUMS, groupRisk, groupSumsOf } from './group-risk.ts';
import type { Interval } from './interval.ts';
import { REACH } from './reach.ts';
import { LEVEL_WEIGHTS, SCORE_BANDS, UNRATED_WEIGHT } from './risk-points.ts';
import { findingDecision, SSVC_TREE } from './ssvc.ts';
import { CONTROL_FACTORS } from './susceptibility.ts';
import { DEFAULT_INCIDENT_RATES, DEFAULT_TARGETING, targetingOf } from './targeting.ts';

const PAGE = readFileSync(new URL('../../../../../docs/scoring.md', import.meta.url), 'utf8').split(
  '\n## Model posture-2\n',
)[1]!;
const DAY_MS = 86_400_000;
/** N in the examples. */
const NETWORK_VECTOR = /^N is `([^`]*)`/m.exec(PAGE)![1]!;

const examples = <T>(kind: string): T[] =>
  [...PAGE.matchAll(/^```json (\S+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === kind)
    .flatMap(([, , json]) => JSON.parse(json!));

/** Rows of the table whose header begins like this, as lists of cells. */
const tableOf = (header: string): string[][] => {
  const [, body] = new RegExp(`^\\| ${header} .*\\n\\|[-|]+\\|\\n((\\|.*\\n)+)`, 'm').exec(PAGE)!;
  return body!
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};

interface AssetExample {
  name: string;
  asset: Partial<ThreatenedAsset> & { public?: true };
  catalogue: KnownThreats;
  findings: (Omit<Partial<AssessedFinding>, 'severity' | 'detections'> & {
    id: string;
    severity: { value: number; vector?: string };
    detections?: { state: DetectionFacts['state']; closedDaysAgo?: number }[];
  })[];
  expected: { score: number | null; likelihood: number[] | null; hazards: number[] };
}

interface MoveExample {
  asset: AssetExample['asset'];
  from: Pick<AssetExample, 'catalogue' | 'findings'>;
  to: Pick<AssetExample, 'catalogue' | 'findings'>;
  expected: { from: number; to: number; causes: Record<string, number> };
}

interface GroupExample {
  name: string;
  assets: string[];
  expected: { score: number | null; likelihood: number[] | null; expectedCompromised: number[] | null };
}

interface SsvcExample {
  asset: string;
  criticality?: Level;
  expected: Record<string, unknown> | null;
}

const subjectOf = ({
  asset: { public: isPublic, ...asset },
  findings,
}: Pick<AssetExample, 'asset' | 'findings'>): ThreatenedSubject =>
  threatenedSubject(
    findings.map(({ id, severity: { value, vector }, detections = [], ...given }) =>
      assessedFinding(id, {
        ...given,
        severity: { value, version: null, vector: vector === 'N' ? NETWORK_VECTOR : (vector ?? null) },
        detections: detections.map(({ state, closedDaysAgo }) => ({
          state,
          closedAt: closedDaysAgo === undefined ? null : AT - closedDaysAgo * DAY_MS,
        })),
      }),
    ),
    { ...asset, ...(isPublic && { ipAddresses: ['203.0.113.7'] }) },
  );

const listOf = (interval: Interval | undefined | null) =>
  interval ? [interval.low, interval.best, interval.high] : null;

const examplesOfMoves = () =>
  [...PAGE.matchAll(/^```json posture-2-move\n(.*?)^```$/gms)].map(
    ([, json]): MoveExample => JSON.parse(json!),
  );

const assetExamples = examples<AssetExample>('posture-2-asset');
const exampleOf = (name: string) => assetExamples.find((one) => one.name === name)!;

describe('docs/scoring.md, posture-2', () => {
  it('has the constants of the code', () => {
    expect(PAGE).toContain(`\`${POSTURE_2}\``);
    expect(tableOf('obstacles')).toEqual(OBSTACLE_PROBABILITIES.map((p, i) => [String(i), String(p)]));
    expect(tableOf('severity from')).toEqual(
      SEVERITY_PROBABILITIES.map(({ from, probability }) => [String(from), String(probability)]),
    );
    const { factor, lowRatio, highRatio } = DEFAULT_TARGETING;
    const { low, best, high } = DEFAULT_INCIDENT_RATES;
    const factorOf = (rate: number) => targetingOf({ low: rate, best: rate, high: rate }).factor;
    expect(tableOf('value')).toEqual([
      ['low', `${low}`, `${factorOf(low)}`, `${lowRatio}`],
      ['best', `${best}`, `${factor}`, '1000000'],
      ['high', `${high}`, `${factorOf(high)}`, `${highRatio}`],
    ]);
    expect(tableOf('weakness')).toEqual(
      Object.entries(REACH).map(([row, { exposed, edge, inside }]) => [
        row,
        `${exposed}`,
        `${edge}`,
        `${inside}`,
      ]),
    );
    expect(tableOf('controls that').map(([, c]) => Number(c))).toEqual(Object.values(CONTROL_FACTORS));
    expect(tableOf('detection')).toEqual(
      Object.entries(DETECTION_STATES).map(([state, interval]) => [
        state,
        ...listOf(interval)!.map((thousandths) => String(thousandths / 1000)),
      ]),
    );
    const tactics = tableOf('tactic').flatMap(([names, weight]) =>
      names!.split(', ').map((name) => [name, Number(weight) * 1000]),
    );
    expect(Object.fromEntries(tactics)).toEqual({ ...TACTIC_WEIGHTS, others: OTHER_TACTICS });
    expect(tableOf('weeks').map(([, factor]) => Number(factor))).toEqual(AGE_FACTORS);
    expect(tableOf('level').map(([level, w]) => [level, Number(w)])).toEqual([
      ...Object.entries(LEVEL_WEIGHTS),
      ['not given', UNRATED_WEIGHT],
    ]);
    expect(tableOf('band').map(([band, from]) => ({ band, from: Number(from) }))).toEqual(SCORE_BANDS);
    expect(tableOf('exploitation')).toEqual(
      Object.entries(SSVC_TREE).flatMap(([exploitation, byAutomatable]) =>
        Object.entries(byAutomatable).flatMap(([automatable, byImpact]) =>
          Object.entries(byImpact).map(([impact, row]) => [exploitation, automatable, impact, ...row]),
        ),
      ),
    );
  });

  it.each(assetExamples.map((example) => [example.name, example] as const))(
    'the asset “%s” is what the model computes',
    (_, example) => {
      const catalogue = threatCatalogueOf(example.catalogue);
      const subject = subjectOf(example);
      const { score, likelihoods, contributions } = scoreAsset(subject, catalogue, AT);
      const { weaknesses, evidence } = assetThreats(subject, catalogue, AT);
      const hazards = [
        ...[...weaknesses.values()].map(({ hazard }) => hazard),
        ...evidence.map(({ hazard }) => hazard.best),
      ];
      expect({
        score,
        likelihood: listOf(likelihoods?.whole),
        hazards: hazards.sort((a, b) => b - a),
      }).toEqual(example.expected);
      const shares = contributions.reduce((sum, { share }) => sum + Math.round(share * 100), 0);
      expect(shares).toBe(Math.round((score ?? 0) * 100));
    },
  );

  it.each(examples<GroupExample>('posture-2-group'))(
    'the group “$name” is computed',
    ({ assets, expected }) => {
      const sums = assets.map((name) => {
        const subject = subjectOf(exampleOf(name));
        const threats = assetThreats(subject, threatCatalogueOf(exampleOf(name).catalogue), AT);
        return groupSumsOf(assetRisk(threats, subject.asset, DEFAULT_TARGETING));
      });
      const group = groupRisk(sums.reduce(addGroupSums, EMPTY_GROUP_SUMS), DEFAULT_TARGETING);
      expect({
        score: group.score,
        likelihood: listOf(group.likelihoods?.whole),
        expectedCompromised: listOf(group.expectedCompromised),
      }).toEqual(expected);
    },
  );

  it.each(examples<SsvcExample>('posture-2-ssvc'))(
    'the decision on $asset',
    ({ asset, criticality, expected }) => {
      const { asset: given, findings } = subjectOf(exampleOf(asset));
      const catalogue = threatCatalogueOf(exampleOf(asset).catalogue);
      const decision = findingDecision(
        findings[0]!,
        { ...given, ...(criticality && { criticality }) },
        catalogue,
        AT,
      );
      if (expected === null) expect(decision).toBeNull();
      else expect(decision).toMatchObject(expected);
    },
  );

  it.each(examplesOfMoves())('the move is explained as it says', async ({ asset, from, to, expected }) => {
    const side = (given: MoveExample['from']) => subjectOf({ asset, ...given });
    const told = await explainMove(
      [{ assetId: 'asset-1', from: side(from), to: side(to) }],
      { catalogue: threatCatalogueOf(from.catalogue), at: AT },
      { catalogue: threatCatalogueOf(to.catalogue), at: AT },
    );
    const causes = Object.fromEntries(told.causes.map(({ kind, id, share }) => [`${kind} ${id}`, share]));
    expect({ from: told.from, to: told.to, causes }).toEqual(expected);
  });

  it('has examples of each kind', () => {
    const kinds = ['posture-2-asset', 'posture-2-group', 'posture-2-ssvc'];
    expect(kinds.map((kind) => examples(kind).length)).toEqual([17, 3, 5]);
    expect(examplesOfMoves()).toHaveLength(1);
  });
});
