import { describe, expect, it } from '@jest/globals';
import {
  parametersIn,
  textChanges,
  valueIn,
  withoutSet,
  withoutTerms,
} from '../../apps/console/src/parts/query/query-text.ts';

describe('the terms of a query text', () => {
  it.each([
    ['log4j severity:critical,high epss:>=0.1', ['severity', 'epssMin']],
    ['department:"Human Resources" "type:va" due:<2026-01-01', ['department', 'dueBefore']],
    ['arn:aws:iam::1 https://type:va STATE:Failed', ['state']],
    ['-type:va severity:<5 type:', ['type']],
    ['department:"state:Failed" x', ['department']],
  ])('%s has %j', (text, parameters) => {
    expect(parametersIn('findings', text)).toEqual(parameters);
  });

  it('of assets have custom fields', () => {
    const text = 'customField.Team:red customField."Cost \\"centre\\"":12 type:Server';
    expect(parametersIn('assets', text)).toEqual(['customField.Team', 'customField.Cost "centre"', 'type']);
    expect(withoutTerms('assets', text, ['customField.Cost "centre"'])).toBe(
      'customField.Team:red type:Server',
    );
    expect(parametersIn('findings', text)).toEqual(['type']);
  });

  it.each([
    ['state:Failed', 'Failed'],
    ['a state:"Failed,Qualified" b', 'Failed,Qualified'],
    ['state:"a \\"b\\""', 'a "b"'],
    ['"state:Failed"', undefined],
  ])('%s gives the state %j', (text, value) => {
    expect(valueIn('findings', text, 'state')).toBe(value);
  });

  it.each([
    ['state:Failed', ''],
    ['log4j  state:Failed tag:x', 'log4j tag:x'],
    ['"log4j state:Failed" state:Failed', '"log4j state:Failed"'],
    // A quote that is a sign begins no phrase with later words.
    ['"log4j state:Failed core" x"', '"log4j state:Failed core" x"'],
    [
      '"log4j state:"Failed" core" x',
      '"log4j state:"Failed" core" x'.replace('"log4j state:"Failed"', "'log4j"),
    ],
    ['department:"Human Resources" state:"Failed"', 'department:"Human Resources"'],
  ])('%s without the state is %s', (text, rest) => {
    expect(withoutTerms('findings', text, ['state'])).toBe(rest);
  });

  it('replaces the parameters that it sets, and is replaced by those that are set', () => {
    expect(textChanges('findings', 'log4j type:va due:<2026-01-01')).toEqual({
      q: 'log4j type:va due:<2026-01-01',
      type: undefined,
      dueBefore: undefined,
    });
    expect(withoutSet('findings', 'log4j type:va tag:x', { type: ['edr'], tag: undefined })).toBe(
      'log4j tag:x',
    );
    // Only a text with a term that is set is written anew.
    expect(withoutSet('findings', 'log4j   type:va', { type: [], state: 'any' })).toBe('log4j   type:va');
  });
});
