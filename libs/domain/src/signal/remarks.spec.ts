import { describe, expect, it } from '@jest/globals';
import { accepted, arrival, context, plural, signal } from '../../../../test/fixtures/domain/signals.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { readSignal } from './read-signal.ts';
import { REMARKS_MAX, Remarks } from './remarks.ts';
import type { Signal } from './signal.ts';
import { readZipConfig } from './zip-config.ts';

/** Users correct their signals by these: each names the field and the expected value. */

const only = (given: Partial<Signal['securityContext']>) => signal({ securityContext: context(given ?? {}) });

describe('a problem of a signal states the expected value', () => {
  const ports = Array.from({ length: 200 }, (_, i) => i);
  it.each<[string, string, Signal]>([
    ['entity.type', 'machine or user', signal({ entity: { type: 'file', name: 'x' } })],
    ['entity.name', 'must not be blank', signal({ entity: { type: 'machine', name: ' .' } })],
    ['name', 'must not be blank', signal({ name: ' ' })],
    [
      'source.nextSubmissionIntervalInMins',
      'a number of minutes, at least 0',
      signal({ source: { nextSubmissionIntervalInMins: Number.NaN } }),
    ],
    [
      'securityContexts',
      'must not be combined with securityContext',
      { ...plural([context()]), securityContext: context() },
    ],
    ['securityContext', 'entityOnly: true', plural([])],
    ['securityContext.type', 'a finding type such as va', only({ type: 'x' })],
    ['securityContext.severity.value', 'a number from 0 to 10', only({ severity: {} })],
    ['securityContext.status.complianceStatus', 'pass, fail or unknown', only({ status: {} })],
    [
      'securityContext.complianceStatus.status',
      'must agree with status.complianceStatus',
      only({ complianceStatus: { status: 'Qualified' } }),
    ],
    [
      'port',
      '10,000 instances',
      signal({
        port: ports,
        securityContext: context({ evidence: { observationText: 'x'.repeat(20_000) } }),
      }),
    ],
  ])('%s: %s', (field, message, given) => {
    const read = readSignal(given, arrival());
    expect(read).toEqual({ ok: false, problems: [{ field, message: expect.stringContaining(message) }] });
  });

  it('securityContext.standardsMapping: a CVE or a technique, below platform version 4.1', () => {
    const settings = { ...DEFAULT_SETTINGS, platformVersion: '4.0' };
    expect(readSignal(signal(), arrival({ settings }))).toEqual({
      ok: false,
      problems: [
        {
          field: 'securityContext.standardsMapping',
          message: expect.stringContaining('below 4.1 require one in a va signal'),
        },
      ],
    });
  });
});

describe('a warning of a signal states the effect on the field', () => {
  it.each<[string, string, Signal]>([
    ['expiresAt', 'the Finding Retirement Policy applies', signal({ expiresAt: 'soon' })],
    ['firstSeen', 'the value is ignored', signal({ firstSeen: 'soon' })],
    ['openSince', 'the value is ignored', signal({ openSince: 'soon' })],
    ['lastSeen', 'the value is ignored', signal({ lastSeen: 'soon' })],
    ['sshKey', 'is not stored: it may contain credentials', { ...signal(), sshKey: 'x' } as Signal],
  ])('%s: %s', (field, message, given) => {
    expect(accepted(given).warnings).toEqual([{ field, message: expect.stringContaining(message) }]);
  });
});

describe('a problem of config.json states the expected value', () => {
  it.each([
    ['', 'must be an object with any of fullAssessmentForTypes, shouldImportAssets', []],
    ['colour', 'use fullAssessmentForTypes, shouldImportAssets', { colour: 1 }],
    ['c'.repeat(100), 'is unknown', { ['c'.repeat(200)]: 1 }],
    ['shouldImportAssets', 'must be true or false', { shouldImportAssets: 1 }],
    ['fullAssessmentForTypes', 'must be a list of finding, ca, va', { fullAssessmentForTypes: 'va' }],
    [
      'assetMatchingCriteria[0]',
      'must be one of fqdn, assetName, ipAddress',
      { assetMatchingCriteria: ['x'] },
    ],
  ])('%s: %s', (field, message, json) => {
    expect(readZipConfig(json)).toEqual({
      ok: false,
      problems: [{ field, message: expect.stringContaining(message) }],
    });
  });

  it('assetMatchingCriteria: a warning that it changes nothing', () => {
    expect(readZipConfig({ assetMatchingCriteria: ['fqdn'] })).toMatchObject({
      ok: true,
      warnings: [{ message: expect.stringContaining('does not affect asset matching') }],
    });
  });
});

describe('remarks', () => {
  it('are the first 20 problems and the first 20 warnings', () => {
    const remarks = new Remarks();
    for (let i = 0; i < 30; i += 1) {
      remarks.problem(`p${i}`, 'x');
      remarks.warn(`w${i}`, 'x');
    }
    const named = (letter: string) =>
      Array.from({ length: REMARKS_MAX }, (_, i) => ({ field: `${letter}${i}`, message: 'x' }));
    expect(remarks.problems).toEqual(named('p'));
    expect(remarks.warnings).toEqual(named('w'));
  });

  it('name a longer field by its first 500 characters: the log stores up to 100 warnings in a record', () => {
    const remarks = new Remarks();
    remarks.warn('x'.repeat(500), 'whole');
    remarks.warn('y'.repeat(501), 'cut');
    remarks.problem('z'.repeat(9_000), 'cut');
    const fields = [...remarks.warnings, ...remarks.problems].map(({ field }) => field);
    expect(fields).toEqual(['x'.repeat(500), `${'y'.repeat(500)}…`, `${'z'.repeat(500)}…`]);
  });
});
