import { describe, expect, it } from '@jest/globals';
import {
  AT,
  assetFacts,
  catalogueOf,
  findingFacts,
  type KnownCatalogue,
} from '../../../../../test/fixtures/domain/subjects.ts';
import { assetWords, catalogueWords, findingKind, findingWords } from './cause-words.ts';

const failed = findingFacts('f1');
const accepted = findingFacts('f1', { state: 'AcceptedFailed' });

describe('the words for what moved a score', () => {
  it.each([
    ['not there → Failed', undefined, failed],
    ['Failed → not there', failed, undefined],
    ['Failed → AcceptedFailed', failed, accepted],
    ['Failed → Retired', failed, findingFacts('f1', { activeUntil: AT })],
    [
      'Failed as before, with another severity or other mappings',
      failed,
      { ...failed, cves: ['CVE-2024-1111'] },
    ],
  ])('of a finding: %s', (words, from, to) => {
    expect(findingWords(from, to, AT, AT)).toBe(words);
  });

  it('looks at each side at its own instant', () => {
    expect(findingWords(failed, failed, AT, failed.activeUntil)).toBe('Failed → Retired');
  });

  it.each([
    ['finding', undefined, failed],
    ['finding', accepted, accepted],
    ['acceptance', failed, accepted],
    ['acceptance', accepted, failed],
    ['acceptance', accepted, undefined],
  ])('are of kind %s', (kind, from, to) => {
    expect(findingKind(from, to)).toBe(kind);
  });

  it('of an asset: the change, with the values before and after', () => {
    const from = assetFacts({
      criticality: null,
      integrityRequirement: 'low',
      availabilityRequirement: 'high',
    });
    const to = assetFacts({
      criticality: 'high',
      integrityRequirement: null,
      availabilityRequirement: 'low',
    });
    expect(assetWords(from, to)).toBe(
      'criticality not given → high, integrity requirement low → not given, availability requirement high → low',
    );
    expect(assetWords(from, { ...from, confidentialityRequirement: 'high' })).toBe(
      'confidentiality requirement not given → high',
    );
    expect(assetWords(from, from)).toBe('');
  });

  it.each<[string, string, KnownCatalogue, KnownCatalogue]>([
    ['CVE-2024-1111', 'unknown → EPSS 0.5 of 2026-05-30', {}, { epss: { 'CVE-2024-1111': 0.5 } }],
    [
      'CVE-2024-1111',
      'state PUBLISHED → state REJECTED, in KEV since 2026-01-15',
      { states: { 'CVE-2024-1111': 'PUBLISHED' } },
      { states: { 'CVE-2024-1111': 'REJECTED' }, kev: ['CVE-2024-1111'] },
    ],
    ['T1059', 'technique valid → technique revoked', {}, { techniques: { T1059: { revoked: true } } }],
  ])('of a catalogue on %s: %s', (id, words, from, to) => {
    expect(
      catalogueWords(id, { catalogue: catalogueOf(from), at: AT }, { catalogue: catalogueOf(to), at: AT }),
    ).toBe(words);
  });
});
