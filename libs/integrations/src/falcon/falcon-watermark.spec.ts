import { describe, expect, it } from '@jest/globals';
import { ChangeMark, readMarks, sinceWithOverlap, writeMarks } from './falcon-watermark.ts';

const at = (second: number) => Date.parse('2026-03-01T12:00:00.000Z') + second * 1000;
const changed = (...seconds: number[]) =>
  seconds.map((second) => ({ t: new Date(at(second)).toISOString() }));

describe('the progress of a pull', () => {
  it('follows the pages while they are in the order of changes', () => {
    const mark = new ChangeMark(null, 't');
    expect(mark.at(false)).toBeNull();
    mark.note(changed(1, 2), at(100));
    expect(mark.at(false)).toBe(at(2));
    mark.note(changed(2, 5), at(100));
    expect(mark.at(false)).toBe(at(5));
  });

  it('is set only at the end if they are not', () => {
    const mark = new ChangeMark(at(0), 't');
    mark.note(changed(9, 3), at(100));
    expect(mark.at(false)).toBe(at(0));
    mark.note(changed(20), at(100));
    expect(mark.at(false)).toBe(at(0));
    expect(mark.at(true)).toBe(at(20));
  });

  it('never goes back for records of the overlap, nor for those without a time', () => {
    const mark = new ChangeMark(at(100), 't');
    mark.note([...changed(40, 50), { t: 'soon' }, {}], at(100));
    expect(mark.at(true)).toBe(at(100));
  });

  it('survives being written', () => {
    const begun = { hosts: { from: null, received: 5 }, alerts: { from: at(3), received: 0 } };
    for (const marks of [
      { hosts: at(7), alerts: null, begun: {} },
      { hosts: at(7), alerts: at(8), begun },
    ]) {
      expect(readMarks(writeMarks(marks))).toEqual(marks);
    }
    expect(readMarks(null)).toEqual({ hosts: null, alerts: null, begun: {} });
    expect(writeMarks({ hosts: null, alerts: null, begun: {} })).toBeNull();
  });

  it('of an earlier version is read', () => {
    const marks = JSON.stringify({ hosts: new Date(at(7)).toISOString(), alerts: null });
    expect(readMarks(marks)).toEqual({ hosts: at(7), alerts: null, begun: {} });
  });

  it('counts the received records before it: more may have changed at the same time', () => {
    const mark = new ChangeMark(null, 't');
    mark.note(changed(1, 2, 5, 5), at(100));
    expect(mark.before(4)).toBe(2);
    mark.note(changed(5), at(100));
    expect(mark.before(5)).toBe(2);
    mark.note(changed(6), at(100));
    expect(mark.before(6)).toBe(5);
  });

  it('leaves an overlap of ten minutes', () => {
    expect(sinceWithOverlap(at(600))).toBe(at(0));
    expect(sinceWithOverlap(null)).toBeNull();
  });

  it('is not moved by a record that is dated in the future: nothing would be pulled until then', () => {
    const mark = new ChangeMark(at(0), 't');
    mark.note(changed(50, 221), at(100));
    expect(mark.at(true)).toBe(at(50));
    mark.note(changed(220), at(100));
    expect(mark.at(true)).toBe(at(220));
  });
});
