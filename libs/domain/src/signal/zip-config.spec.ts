import { describe, expect, it } from '@jest/globals';
import { FINDING_TYPES } from '../events.ts';
import { readZipConfig } from './zip-config.ts';

const DEFAULTS = {
  fullAssessmentForTypes: [],
  importAssets: true,
  overrideAccepted: false,
  updateMetadata: true,
  assetMatchingCriteria: [],
};

const configOf = (json: unknown) => {
  const read = readZipConfig(json);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.config;
};

const problemsOf = (json: unknown) => {
  const read = readZipConfig(json);
  return read.ok ? [] : read.problems.map(({ field }) => field);
};

describe('readZipConfig', () => {
  it('fills the defaults of R-ZIP-3; null is absent', () => {
    const absent = {
      fullAssessmentForTypes: null,
      shouldImportAssets: null,
      shouldAllowOverrideAFControl: null,
      shouldUpdateExistingAssetsMetadata: null,
      assetMatchingCriteria: null,
    };
    expect(configOf({})).toEqual(DEFAULTS);
    expect(configOf(absent)).toEqual(DEFAULTS);
    expect(configOf({ fullAssessmentForTypes: [] })).toEqual(DEFAULTS);
    expect(readZipConfig(absent)).toMatchObject({ ok: true, warnings: [] });
  });

  it.each([
    ['shouldImportAssets', 'importAssets', false],
    ['shouldAllowOverrideAFControl', 'overrideAccepted', true],
    ['shouldUpdateExistingAssetsMetadata', 'updateMetadata', false],
  ])('%s is read as %s (R-ZIP-3)', (given, name, value) => {
    expect(configOf({ [given]: value })).toEqual({ ...DEFAULTS, [name]: value });
    expect(problemsOf({ [given]: 'true' })).toEqual([given]);
  });

  it('takes the seven types in any case and once (R-ZIP-13)', () => {
    const given = [...FINDING_TYPES.map((type) => type.toUpperCase()), 'va'];
    expect(configOf({ fullAssessmentForTypes: given }).fullAssessmentForTypes).toEqual(FINDING_TYPES);
  });

  it('another type is a problem that states the accepted types, without echoing it (R-ZIP-13)', () => {
    const read = readZipConfig({ fullAssessmentForTypes: ['va', 'email', 7] });
    expect(read).toEqual({
      ok: false,
      problems: [1, 2].map((i) => ({
        field: `fullAssessmentForTypes[${i}]`,
        message: 'must be one of finding, ca, va, edr, uba, waf, others',
      })),
    });
  });

  it('records assetMatchingCriteria and warns that it changes nothing (R-ASSET-5)', () => {
    const read = readZipConfig({ assetMatchingCriteria: ['FQDN', 'assetname', 'ipAddress'] });
    expect(read).toMatchObject({
      ok: true,
      config: { assetMatchingCriteria: ['fqdn', 'assetName', 'ipAddress'] },
      warnings: [{ field: 'assetMatchingCriteria' }],
    });
    expect(problemsOf({ assetMatchingCriteria: ['serial'] })).toEqual(['assetMatchingCriteria[0]']);
  });

  it('unknown properties are problems (R-ZIP-3)', () => {
    expect(problemsOf({ shouldImportAsset: false, __proto: 1 })).toEqual(['shouldImportAsset', '__proto']);
  });

  it.each([[null], [[]], ['x'], [7], [true]])('%j is no config', (json) => {
    expect(problemsOf(json)).toEqual(['']);
  });

  it('a list must be one, and a short one', () => {
    expect(problemsOf({ fullAssessmentForTypes: 'va' })).toEqual(['fullAssessmentForTypes']);
    const long = Array.from({ length: 101 }, () => 'va');
    expect(problemsOf({ fullAssessmentForTypes: long })).toEqual(['fullAssessmentForTypes']);
  });
});
