import { describe, expect, it } from '@jest/globals';
import { validMappings } from './valid-mappings.ts';

const techniques: Record<string, { revoked?: boolean }> = { T1001: {}, T1002: { revoked: true }, T1003: {} };

describe('the mappings of a finding that count', () => {
  it('are without repeats, in the order of their ids', () => {
    const given = {
      cves: ['CVE-2024-2222', 'CVE-2024-1111', 'CVE-2024-2222', 'CVE-24-1'],
      techniques: ['T1003', 'T1001', 'T1002', 'T9999', 'T1003'],
    };
    expect(
      validMappings(
        given,
        (id) => techniques[id],
        () => undefined,
      ),
    ).toEqual({ cves: ['CVE-2024-1111', 'CVE-2024-2222'], techniques: ['T1001', 'T1003'] });
  });

  it.each(['CVE-2024-123', 'xCVE-2024-1234', 'CVE-2024-1234x', 'cve-2024-1234', 'CVE-20244-1234', ''])(
    '%j is no CVE',
    (id) => {
      expect(
        validMappings(
          { cves: [id], techniques: [] },
          () => undefined,
          () => undefined,
        ).cves,
      ).toEqual([]);
    },
  );
});
