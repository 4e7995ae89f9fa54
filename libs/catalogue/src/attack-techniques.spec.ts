import { describe, expect, it } from '@jest/globals';
import { attackTechnique, isCountedTechnique } from './attack-techniques.ts';

describe('ATT&CK techniques (D22, D24)', () => {
  it('knows techniques and sub-techniques by id', () => {
    expect(attackTechnique('T1059.001')).toMatchObject({ name: 'PowerShell', revoked: false });
    expect(attackTechnique('T9999')).toBeUndefined();
  });

  it('counts those that exist and are not revoked', () => {
    expect(['T1059', 'T1002', 'T9999', 'CST0007'].map(isCountedTechnique)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
