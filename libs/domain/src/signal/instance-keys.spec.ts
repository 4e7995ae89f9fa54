import { describe, expect, it } from '@jest/globals';
import { instance } from '../../../../test/support/scenario.ts';
import { Expansion, INSTANCES_MAX, REPEATED_CHARS_MAX } from './expansion.ts';
import { namesOf, numberRepeats, observationKey, portsOf } from './instance-keys.ts';
import { Remarks } from './remarks.ts';

const texts = (n: number) => Array.from({ length: n }, (_, i) => String(i));
const keysOf = (keys: string[]) =>
  numberRepeats(keys.map((key) => instance('fail', { key }))).map(({ key }) => key);

describe('the names of instances', () => {
  it('are detection ids in any case of the tag, once each, with only their own as a tag', () => {
    expect(namesOf({ DetectionID: ['d1', ' d2 ', 'd1', ''], port: ['443'] })).toEqual([
      { key: 'd1', tags: { DetectionID: ['d1'] } },
      { key: 'd2', tags: { DetectionID: ['d2'] } },
    ]);
  });

  it('are ports with every protocol, unless there are as many', () => {
    const keys = (port: string[], protocol: string[]) => portsOf({ port, protocol }).map(({ key }) => key);
    expect(keys(['53', '80'], ['UDP'])).toEqual(['53/udp', '80/udp']);
    expect(keys(['53', '80'], ['udp', 'tcp'])).toEqual(['53/udp', '80/tcp']);
    expect(keys(['53', '80'], [])).toEqual(['53', '80']);
    expect(portsOf({ protocol: ['tcp'] })).toEqual([]);
  });

  it('are each port with each protocol once, in any case and with any blanks', () => {
    const variants = ['tcp', ' TCP', 'Tcp ', 'udp'];
    expect(portsOf({ port: ['53', ' 53', '80'], protocol: variants })).toEqual(
      [
        ['53', 'Tcp'],
        ['53', 'udp'],
        ['80', 'Tcp'],
        ['80', 'udp'],
      ].map(([port, protocol]) => ({
        key: `${port}/${protocol!.toLowerCase()}`,
        tags: { port: [port], protocol: [protocol] },
      })),
    );
  });

  it('end soon after the characters that a signal may have', () => {
    const long = Array.from({ length: 14 }, (_, i) => `${i}`.padEnd(65_536, 'x'));
    expect(portsOf({ port: ['1', ...long], protocol: texts(200) })).toHaveLength(200 + 8);
  });

  it('are one more than a signal may have, so that the caller notices, and no further', () => {
    expect(portsOf({ port: texts(101), protocol: texts(100) })).toHaveLength(INSTANCES_MAX + 1);
    expect(portsOf({ port: texts(100), protocol: texts(101) })).toHaveLength(INSTANCES_MAX + 1);
    expect(portsOf({ port: texts(99), protocol: texts(101) })).toHaveLength(99 * 101);
  });
});

describe('repeated keys', () => {
  it.each([
    [
      ['a', 'b', 'a', 'a'],
      ['a', 'b', 'a#2', 'a#3'],
    ],
    [
      ['a', 'a#1'],
      ['a', 'a#1'],
    ],
    [
      ['a', 'a', 'a#2', 'a'],
      ['a', 'a#3', 'a#2', 'a#4'],
    ],
  ])('%j become %j', (given, expected) => {
    expect(keysOf(given)).toEqual(expected);
  });
});

describe('a key derived from the observation', () => {
  const seen = {
    evidence: 'x',
    cves: ['CVE-1'],
    techniques: ['T1'],
    standards: [{ name: 'cis', value: '9' }],
  };

  it('is another with any other evidence, CVE, technique or standard', () => {
    const keys = [
      seen,
      { ...seen, evidence: null },
      { ...seen, cves: [] },
      { ...seen, techniques: ['CVE-1'] },
      { ...seen, standards: [{ name: 'cis', value: '8' }] },
      { ...seen, standards: [{ name: 'nist', value: '9' }] },
    ].map(observationKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(observationKey({ ...seen })).toBe(keys[0]);
  });
});

describe('the size of an expanded signal', () => {
  const fits = (...parts: [instances: number, repeatedChars: number][]) => {
    const remarks = new Remarks();
    const expansion = new Expansion(remarks);
    const answers = parts.map(([instances, chars]) => expansion.add(instances, chars, 'port'));
    return { answers, problems: remarks.problems.map(({ field }) => field) };
  };

  it('is 10,000 instances', () => {
    expect(fits([INSTANCES_MAX - 1, 0], [1, 0])).toEqual({ answers: [true, true], problems: [] });
    expect(fits([INSTANCES_MAX, 0], [1, 0])).toEqual({ answers: [true, false], problems: ['port'] });
  });

  it('is 1,000,000 characters that are repeated in them', () => {
    expect(fits([1, 1], [1, REPEATED_CHARS_MAX - 1])).toEqual({ answers: [true, true], problems: [] });
    expect(fits([1, REPEATED_CHARS_MAX], [1, 1])).toEqual({ answers: [true, false], problems: ['port'] });
  });
});
