import { describe, expect, it } from '@jest/globals';
import { textOf } from './project-texts.ts';

/** Each states what the models compute in different ways. */
const RULES_BY_MODEL = ['R-SCORE-3', 'R-SCORE-4', 'R-SCORE-5', 'R-SCORE-6', 'R-SCORE-7'];

describe('the rules of scores', () => {
  it.each(RULES_BY_MODEL)('%s states what each model computes', async (rule) => {
    const lines = (await textOf('docs/specification.md')).split('\n');
    const [text] = lines.filter((line) => line.startsWith(`- **${rule}** `));
    expect([...new Set(text!.match(/posture-\d/gi)!.map((model) => model.toLowerCase()))].sort()).toEqual([
      'posture-1',
      'posture-2',
    ]);
  });
});
