import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  AT,
  catalogueOf,
  findingFacts,
  type KnownCatalogue,
  subject,
} from '../../../../test/fixtures/domain/subjects.ts';
import { scoreAsset } from './asset-score.ts';
import { bestFixes } from './best-fixes.ts';
import { CRITICALITY_WEIGHTS, criticalityWeight } from './criticality-weight.ts';
import { explainMove } from './explain/explain-move.ts';
import { KEV_PROBABILITY, PROBABILITY_MAX } from './exploit-probability.ts';
import { addRiskSums, EMPTY_RISK_SUM, groupScore, riskSumOf } from './group-score.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';
import { SCORING_MODEL } from './scoring-model.ts';
import { SEVERITY_TABLE } from './severity-table.ts';

const PAGE = readFileSync(new URL('../../../../docs/scoring.md', import.meta.url), 'utf8');

const examples = <T>(kind: string): T[] =>
  [...PAGE.matchAll(/^```json (\S+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === kind)
    .map(([, , json]) => JSON.parse(json!));

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

interface Given {
  asset: Partial<AssetFacts>;
  catalogue: KnownCatalogue;
  findings: (Partial<FindingFacts> & { id: string; severity?: Partial<FindingFacts['severity']> })[];
}

const subjectOf = ({ asset, findings }: Pick<Given, 'asset' | 'findings'>) =>
  subject(
    findings.map(({ id, severity, ...given }) =>
      findingFacts(id, { ...given, severity: { value: 8, version: null, vector: null, ...severity } }),
    ),
    asset,
  );

interface AssetExample extends Given {
  expected: {
    score: number | null;
    breachLikelihood: number | null;
    shares: Record<string, number>;
    malformedVectors?: number;
    /** Finding → score once it is fixed. */
    fixes?: Record<string, number>;
  };
}

interface MoveExample {
  asset: Partial<AssetFacts>;
  from: Omit<Given, 'asset'>;
  to: Omit<Given, 'asset'>;
  expected: { from: number; to: number; causes: Record<string, number> };
}

describe('docs/scoring.md', () => {
  it('has the constants of the code', () => {
    expect(PAGE).toContain(`\`${SCORING_MODEL}\``);
    expect(PAGE).toContain(`at least ${KEV_PROBABILITY} if`);
    expect(PAGE).toContain(`No probability is above ${PROBABILITY_MAX}`);
    expect(tableOf('rating')).toEqual(
      SEVERITY_TABLE.map(({ rating, from, probability }) => [rating, String(from), String(probability)]),
    );
    expect(tableOf('criticality')).toEqual(
      Object.entries(CRITICALITY_WEIGHTS).map(([level, weight]) => [level, String(weight)]),
    );
    expect(criticalityWeight(null)).toBe(CRITICALITY_WEIGHTS.medium);
  });

  const assetExamples = examples<AssetExample>('asset-example');
  it.each(assetExamples.map((example, i) => [i + 1, example] as const))(
    'asset example %d equals the result of the model',
    async (_, example) => {
      const { score, breachLikelihood, shares, malformedVectors = 0, fixes } = example.expected;
      const catalogue = catalogueOf(example.catalogue);
      const computed = scoreAsset(subjectOf(example), catalogue, AT);
      expect(computed).toMatchObject({ score, breachLikelihood, malformedVectors });
      expect(
        Object.fromEntries(computed.contributions.map(({ findingId, share }) => [findingId, share])),
      ).toEqual(shares);
      if (fixes) {
        const found = await bestFixes([subjectOf(example)], catalogue, AT);
        expect(Object.fromEntries(found.findings.map(({ id, scoreAfter }) => [id, scoreAfter]))).toEqual(
          fixes,
        );
      }
    },
  );

  const groupExamples =
    examples<{ scores: Record<string, number>; expected: number | null }[]>('group-example').flat();
  it.each(groupExamples)('the group of $scores scores $expected', ({ scores, expected }) => {
    const sums = Object.entries(scores).flatMap(([score, count]) =>
      Array.from({ length: count }, () =>
        riskSumOf({ score: Number(score), breachLikelihood: Number(score) / 100 }),
      ),
    );
    expect(groupScore(sums.reduce(addRiskSums, EMPTY_RISK_SUM)).score).toBe(expected);
  });

  const moveExamples = examples<MoveExample>('move-example');
  it.each(moveExamples)('the move is explained as it says', async ({ asset, from, to, expected }) => {
    const side = (given: Omit<Given, 'asset'>) => subjectOf({ asset, ...given });
    const told = await explainMove(
      [{ assetId: 'asset-1', from: side(from), to: side(to) }],
      { catalogue: catalogueOf(from.catalogue), at: AT },
      { catalogue: catalogueOf(to.catalogue), at: AT },
    );
    expect(told).toMatchObject({ from: expected.from, to: expected.to });
    expect(Object.fromEntries(told.causes.map(({ kind, id, share }) => [`${kind} ${id}`, share]))).toEqual(
      expected.causes,
    );
  });

  it('has examples of each kind', () => {
    expect([assetExamples.length, groupExamples.length, moveExamples.length]).toEqual([5, 5, 1]);
  });
});
