import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ATTACK_DOMAINS, ATTACK_TACTICS, type AttackTechnique, attackTechniques } from '#libs/catalogue';
import type { CountedTechnique } from '../findings/technique-counts.ts';
import { buildMatrix, type Matrix } from './build-matrix.ts';

const technique = (id: string, given: Partial<AttackTechnique> = {}): AttackTechnique => ({
  id,
  name: `Technique ${id}`,
  domain: 'enterprise',
  tactics: ['execution'],
  revoked: false,
  deprecated: false,
  ...given,
});

const counted = (id: string, failed: number, withSubtechniques = false): CountedTechnique => ({
  ...{ id, withSubtechniques, failed, accepted: 1, qualified: 2, notAssessed: 3 },
  ...{ detections: 4, controlsPassed: 5, controlsFailed: 6 },
});

const idsOf = ({ tactics }: Matrix) =>
  tactics.map(({ shortName, techniques }) => [
    shortName,
    techniques.map(({ id, subtechniques }) => [id, subtechniques.map((one) => one.id)]),
  ]);

describe('the matrix', () => {
  it('has techniques under each of their tactics, and sub-techniques under their technique', () => {
    const matrix = buildMatrix(
      'enterprise',
      [
        technique('T2', { tactics: ['execution', 'impact'], name: 'B' }),
        technique('T1', { name: 'A' }),
        technique('T2.002', { tactics: ['impact'], name: 'Y' }),
        technique('T2.001', { tactics: ['impact'], name: 'Z' }),
        technique('T9', { domain: 'ics' }),
      ],
      [],
    );
    expect(idsOf(matrix)).toEqual([
      ['execution', [['T1', []], ['T2', []]]], // biome-ignore format: a line for a tactic
      ['impact', [['T2', ['T2.002', 'T2.001']]]],
    ]);
    expect(matrix.tactics[0]).toMatchObject({ id: 'TA0002', name: 'Execution' });
  });

  it('has a sub-technique of its own if its technique lacks the tactic, or is revoked', () => {
    const matrix = buildMatrix(
      'enterprise',
      [
        technique('T1'),
        technique('T1.001', { tactics: ['impact'] }),
        technique('T2', { revoked: true }),
        technique('T2.001'),
      ],
      [counted('T1.001', 7)],
    );
    expect(idsOf(matrix)).toEqual([
      [
        'execution',
        [
          ['T1', []],
          ['T2.001', []],
        ],
      ],
      ['impact', [['T1.001', []]]],
    ]);
    expect(matrix.tactics[1]!.techniques[0]).toMatchObject({
      findings: { failed: 7 },
      withSubtechniques: { findings: { failed: 7 } },
    });
  });

  it('puts tactics that only imported techniques name behind the others', () => {
    const matrix = buildMatrix(
      'ics',
      [technique('T1', { domain: 'ics', tactics: ['new-tactic', 'impact'] })],
      [],
    );
    expect(matrix.tactics).toMatchObject([
      { id: 'TA0105', shortName: 'impact' },
      { id: null, shortName: 'new-tactic', name: 'New Tactic' },
    ]);
  });

  it('has the counts of a technique alone, and those with its sub-techniques', () => {
    const { tactics } = buildMatrix(
      'enterprise',
      [technique('T1'), technique('T1.001')],
      [counted('T1', 10), counted('T1', 15, true), counted('T1.001', 5)],
    );
    expect(tactics[0]!.techniques).toEqual([
      {
        id: 'T1',
        name: 'Technique T1',
        findings: { failed: 10, accepted: 1, qualified: 2, notAssessed: 3 },
        detections: 4,
        controls: { passed: 5, failed: 6 },
        withSubtechniques: expect.objectContaining({ findings: expect.objectContaining({ failed: 15 }) }),
        subtechniques: [expect.objectContaining({ id: 'T1.001', detections: 4 })],
      },
    ]);
  });

  it('lists what it does not show, with the reason', () => {
    const { others } = buildMatrix(
      'enterprise',
      [
        technique('T1', { revoked: true, deprecated: true }),
        technique('T2', { deprecated: true }),
        technique('T3', { tactics: [] }),
        technique('T4', { domain: 'mobile' }),
        technique('T5', { domain: 'mobile', revoked: true }),
      ],
      ['T1', 'T2', 'T3', 'T4', 'T5', 'CST0007'].map((id) => counted(id, 1)),
    );
    expect(others.map(({ id, reason, name }) => [id, reason, name])).toEqual([
      ['T1', 'revoked', 'Technique T1'],
      ['T2', 'deprecated', 'Technique T2'],
      ['T3', 'noTactic', 'Technique T3'],
      ['CST0007', 'unknown', null],
    ]);
  });

  it('loses no technique: each is in the matrix of its domain, or listed there (property)', () => {
    const shipped = attackTechniques();
    const id = fc.oneof(fc.constantFrom(...shipped.map((one) => one.id)), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 30 }), (ids) => {
        const matrices = ATTACK_DOMAINS.map((domain) =>
          buildMatrix(
            domain,
            shipped,
            ids.map((one) => counted(one, 7)),
          ),
        );
        const withFindings = matrices
          .flatMap(({ tactics, others }) => [
            ...tactics.flatMap(({ techniques }) => techniques.flatMap((one) => [one, ...one.subtechniques])),
            ...others,
          ])
          .filter(({ findings }) => findings.failed === 7);
        expect(new Set(withFindings.map((one) => one.id))).toEqual(new Set(ids));
      }),
      { numRuns: 20 },
    );
  });
});

it.each(ATTACK_DOMAINS)('the tactics of %s are those of the shipped techniques', (domain) => {
  const named = attackTechniques()
    .filter((one) => one.domain === domain)
    .flatMap(({ tactics }) => tactics);
  expect(ATTACK_TACTICS[domain].map(({ shortName }) => shortName).sort()).toEqual([...new Set(named)].sort());
});
