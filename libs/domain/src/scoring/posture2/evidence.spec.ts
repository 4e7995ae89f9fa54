import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import { AGE_FACTORS, AGE_STEP_MS, evidenceHazard, nextAgeStep, tacticWeight } from './evidence.ts';
import type { DetectionFacts } from './facts.ts';

const detection = (state: DetectionFacts['state'], closedAt: number | null = null) => ({ state, closedAt });
const best = (detections: DetectionFacts[], weight = 1000, at = AT) =>
  evidenceHazard({ detections }, weight, at).best;

describe('evidence', () => {
  it('weighs the most harmful tactic', () => {
    expect(tacticWeight(['discovery', 'impact', 'execution'])).toBe(1000);
    expect([tacticWeight(['exfiltration']), tacticWeight(['persistence'])]).toEqual([700, 500]);
    expect([tacticWeight(['discovery']), tacticWeight([])]).toEqual([250, 250]);
  });

  it('follows state and tactic; without a detection it is unreviewed', () => {
    expect(evidenceHazard({ detections: [detection('confirmed')] }, 1000, AT)).toEqual({
      low: 3_566_749_439,
      best: 9_162_907_319,
      high: 23_025_850_930,
    });
    expect(best([])).toBe(best([detection('unreviewed')]));
    expect(best([detection('ignored')], 250)).toBe(7_502_814);
  });

  it('is that of the worst detection, for low, best and high each', () => {
    const all = [detection('ignored'), detection('confirmed'), detection('unreviewed')];
    expect(evidenceHazard({ detections: all }, 700, AT)).toEqual(
      evidenceHazard({ detections: [detection('confirmed')] }, 700, AT),
    );
  });

  it('falls in steps of a week after a detection was closed, to nothing from day 84 on', () => {
    const at = (steps: number) => best([detection('resolved', AT)], 1000, AT + steps * AGE_STEP_MS);
    expect(at(0)).toBe(best([detection('unreviewed')]));
    expect([at(1 - 1e-9), at(1), at(2)]).toEqual([1_625_189_295, 1_149_182_727, 812_594_648]);
    expect([at(11) > 0, at(12), at(500)]).toEqual([true, 0, 0]);
    // Closed in the future of the scored instant: a clock that was ahead.
    expect(at(-3)).toBe(at(0));
  });

  it('changes next at the next step, and never while it is open', () => {
    const closed = detection('resolved', AT);
    expect(nextAgeStep(closed, AT)).toBe(AT + AGE_STEP_MS);
    expect(nextAgeStep(closed, AT + AGE_STEP_MS)).toBe(AT + 2 * AGE_STEP_MS);
    const last = AT + AGE_FACTORS.length * AGE_STEP_MS;
    expect([nextAgeStep(closed, last - 1), nextAgeStep(closed, last)]).toEqual([last, null]);
    expect(nextAgeStep(closed, AT - 1)).toBe(AT + AGE_STEP_MS);
    expect(nextAgeStep(detection('confirmed'), AT)).toBeNull();
  });
});
