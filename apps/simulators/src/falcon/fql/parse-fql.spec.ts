import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FqlError } from './fql-tokens.ts';
import { parseFql } from './parse-fql.ts';

const NOW_MS = Date.parse('2026-05-08T12:00:00Z');
const FIELDS = [
  'tags',
  'status',
  'severity',
  'show',
  'seen',
  'device.hostname',
  'mitre.technique_id',
  'nothing',
];
const RECORD = {
  tags: ['FalconGroupingTags/HR', 'SensorGroupingTags/Production'],
  status: 'in_progress',
  severity: 60,
  show: true,
  seen: '2026-05-01T12:00:00.123456789Z',
  device: { hostname: "web-1.o'hara.example.net" },
  mitre: [{ technique_id: 'T1003' }, { technique_id: 'T1486' }],
};

const parse = (filter: string) => parseFql(filter, (field) => FIELDS.includes(field), NOW_MS);
const matches = (filter: string) => parse(filter).matches(RECORD);

describe('a filter', () => {
  it.each([
    ['', true],
    ["status:'in_progress'", true],
    ['status:"in_progress"', true],
    ["status:'in_prog'", false],
    ["status:!'new'", true],
    ["status:!'in_progress'", false],
    ["status:['new','in_progress']", true],
    ["status:!['new','in_progress']", false],
    ["status:'in_*'", true],
    ["status:*'*prog*'", true],
    ["status:!*'*prog*'", false],
    ["status:'in.*'", false],
    ["tags:'FalconGroupingTags/HR'", true],
    ["tags:'HR'", false],
    ["tags:'falcongroupingtags/hr'", false],
    ["tags:*'*/HR'", true],
    ['severity:60', true],
    ['severity:>=60', true],
    ['severity:>60', false],
    ["severity:<'61'", true],
    ['severity:<=59', false],
    ['severity:[1,60]', true],
    ['show:true', true],
    ['show:false', false],
    ["device.hostname:'web-1.o\\'hara.example.net'", true],
    ["mitre.technique_id:'T1486'", true],
    ["nothing:'x'", false],
    ["nothing:!'x'", true],
    ["nothing:>'x'", false],
    // The platform distinguishes nanoseconds, and compares instants by value, not by notation.
    ["seen:>'2026-05-01T12:00:00.123456788Z'", true],
    ["seen:>'2026-05-01T12:00:00.123456789Z'", false],
    ["seen:>='2026-05-01T12:00:00.123456789Z'", true],
    ["seen:<'2026-05-01T12:00:01Z'", true],
    ["seen:>'2026-05-01T14:00:00.2+02:00'", false],
    ["seen:>'now-7d'", true],
    ["seen:>'now-6d'", false],
    ["seen:<'now'", true],
    ["seen:<'now+1h'", true],
    ["status:'new'+severity:60", false],
    ["status:'new',severity:60", true],
    // The query of a delta of detections.
    ["seen:>='2026-05-02T12:00:00.000Z',status:['new','in_progress','reopened']", true],
    ["seen:>='2026-05-01T12:00:00.000Z',status:['new','reopened']", true],
    ["seen:>='2026-05-02T12:00:00.000Z',status:['new','reopened']", false],
    // And binds closer than or.
    ["severity:60,status:'new'+severity:1", true],
    ["(severity:60,status:'new')+severity:1", false],
    [" ( status : 'in_progress' ) + ( severity : > 1 ) ", true],
  ])('%s: %s', (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  it.each([
    'status',
    "status='new'",
    "status:'new",
    "unknown:'x'",
    "status:'new'+",
    "+status:'new'",
    "status:'new' status:'old'",
    "(status:'new'",
    "status:'new')",
    'status:[]',
    "status:['a',]",
    "status:~'a'",
    "status:!!'a'",
    "status:>!'a'",
    'severity:*60',
    'status:new',
    `${'('.repeat(60)}severity:1${')'.repeat(60)}`,
    `status:'${'x'.repeat(20_001)}'`,
  ])('%s is not valid', (filter) => {
    expect(() => parse(filter)).toThrow(FqlError);
  });

  it('is remembered by its text, unless the time of withParameters matters', () => {
    expect(parse("status:'new'").name).toBe("status:'new'");
    expect(parse("seen:>'now-7d'").name).toBeUndefined();
  });

  it('is read or rejected, for any text', () => {
    const part = fc.constantFrom(
      'status',
      ':',
      '!',
      '>',
      "'a'",
      '[',
      ']',
      '(',
      ')',
      '+',
      ',',
      '1',
      '*',
      ' ',
      "'",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (filter) => {
          try {
            parse(filter).matches(RECORD);
          } catch (error) {
            expect(error).toBeInstanceOf(FqlError);
          }
        },
      ),
    );
  });
});
