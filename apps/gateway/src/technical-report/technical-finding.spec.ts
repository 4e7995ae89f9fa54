import { expect, it } from '@jest/globals';
import type { FindingDto, MappedCveDto } from '../findings/finding.dto.ts';
import { technicalFinding } from './technical-finding.ts';
import { REPORTED } from './technical-report.dto.ts';

const cve = (n: number, more: Partial<MappedCveDto> = {}): MappedCveDto => ({
  ...{ id: `CVE-2024-${n}`, state: null, epss: null, knownExploitedSince: null },
  ...more,
});

it('keeps known and probably exploited CVEs of a long list', () => {
  const many = Array.from({ length: REPORTED.cves }, (_, n) => cve(10_000 + n));
  const probable = cve(1, { epss: { probability: 0.9, date: '2026-01-01' } });
  const known = cve(2, { knownExploitedSince: '2026-01-01' });
  const techniques = Array.from({ length: REPORTED.techniques + 5 }, (_, n) => `T${1_000 + n}`);
  const cves = [...many, probable, known];
  const finding: Partial<FindingDto> = {
    description: null,
    remediation: null,
    instances: [],
    cves: cves.map(({ id }) => id),
    techniques,
    mappings: { cves, techniques: techniques.map((id) => ({ id, name: null, tactics: [], revoked: false })) },
  };
  const reported = technicalFinding(finding as FindingDto);
  const kept = [known.id, probable.id, ...many.slice(0, REPORTED.cves - 2).map(({ id }) => id)];
  expect(reported).toMatchObject({
    cves: kept,
    cveCount: REPORTED.cves + 2,
    techniques: techniques.slice(0, REPORTED.techniques),
    techniqueCount: REPORTED.techniques + 5,
  });
  expect(reported.mappings.cves.map(({ id }) => id)).toEqual(kept);
  expect(reported.mappings.techniques).toHaveLength(REPORTED.techniques);
});

it('cuts no character in half', () => {
  const begin = 'a'.repeat(REPORTED.textCharacters - 1);
  const finding = { description: `${begin}😀b`, remediation: null, instances: [], cves: [], techniques: [] };
  const { description } = technicalFinding({
    ...finding,
    mappings: { cves: [], techniques: [] },
  } as unknown as FindingDto);
  expect(description).toBe(`${begin}… (3 characters more)`);
});

it('is small, whatever a signal and its users write', () => {
  const long = 'a'.repeat(65_000);
  const tags = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`tag ${n}`, [long]]));
  const finding = {
    ...{ description: long, remediation: { description: long, reference: long, impact: long } },
    instances: Array.from({ length: 20 }, () => ({ key: long, status: 'Failed', evidence: long, tags })),
    accepted: { by: 'ana', rationale: 'b'.repeat(4_000), until: null },
    dueReason: 'c'.repeat(4_000),
    ...{ cves: [], techniques: [], mappings: { cves: [], techniques: [] } },
  };
  const reported = technicalFinding(finding as unknown as FindingDto);
  expect(JSON.stringify(reported).length).toBeLessThan(100_000);
  const end = /^(b|c){2000}… \(2000 characters more\)$/;
  expect([reported.accepted!.rationale, reported.dueReason]).toEqual([
    expect.stringMatching(end),
    expect.stringMatching(end),
  ]);
});
