import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ATTACK_VERSIONS, attackTechnique, attackTechniques } from './attack-techniques.ts';

describe('ATT&CK techniques (R-CAT-1)', () => {
  it('knows techniques and sub-techniques by id', () => {
    expect(attackTechnique('T1059.001')).toMatchObject({ name: 'PowerShell', revoked: false });
    expect(attackTechnique('T9999')).toBeUndefined();
  });

  it.each([
    ['enterprise', 'T1059', 835],
    ['mobile', 'T1626', 187],
    ['ics', 'T0803', 95],
  ] as const)('has those of %s, such as %s, with well-formed ids', (domain, id, count) => {
    const all = attackTechniques().filter((technique) => technique.domain === domain);
    expect(all).toHaveLength(count);
    expect(attackTechnique(id)).toMatchObject({ domain, revoked: false, deprecated: false });
    for (const technique of all) {
      expect(technique.id).toMatch(/^T\d{4}(\.\d{3})?$/);
      expect(technique.name).not.toBe('');
      expect(attackTechnique(technique.id)).toBe(technique);
    }
  });

  it('says which versions are shipped, as the notice does', () => {
    const notice = readFileSync(new URL('../data/NOTICE', import.meta.url), 'utf8').replaceAll('\n', ' ');
    const { enterprise, mobile, ics } = ATTACK_VERSIONS;
    expect(ics).toBe(enterprise);
    expect(notice).toContain(`enterprise, version ${enterprise} (835 rows)`);
    expect(notice).toContain(`ICS, version ${ics} (95 rows)`);
    expect(notice).toContain(`mobile, version ${mobile} (187 rows)`);
  });

  it('has tactics wherever a technique is valid', () => {
    const valid = attackTechniques().filter(({ revoked, deprecated }) => !revoked && !deprecated);
    expect(valid.filter(({ tactics }) => tactics.length === 0)).toEqual([]);
  });
});
