import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChangeVector, formatCursor, parseCursor, STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { resumeAt as resumeWith } from './change-cursor.ts';

const resumeAt = (...[id, topics, now]: [string | undefined, StreamTopic[], ChangeVector]) =>
  resumeWith(id, topics, now, parseCursor);

const all: StreamTopic[] = [...STREAM_TOPICS];
const now = { assets: [2, 0, 40], findings: [1_000, 0, 36], scores: [7, 0, 0] };

describe('where a client resumes', () => {
  it('is now without an id', () => {
    expect(resumeAt(undefined, all, now)).toEqual(now);
    expect(resumeAt(undefined, ['findings'], now)).toEqual({ findings: now.findings });
  });

  it('is that of the id, and the current end for a topic that it does not name', () => {
    expect(resumeAt('a:1.0.z', all, now)).toEqual({ ...now, assets: [1, 0, 35] });
    // As a client has it from a version without score changes.
    expect(resumeAt('a:1.0.z,f:1.0.0', all, now)).toEqual({
      assets: [1, 0, 35],
      findings: [1, 0, 0],
      scores: now.scores,
    });
    expect(resumeAt('s:3.0.0', all, now)).toEqual({ ...now, scores: [3, 0, 0] });
    expect(resumeAt('a:1.0.0,f:rs.0.10', ['findings'], now)).toEqual({ findings: [1_000, 0, 36] });
  });

  it('is a place of the client’s own', () => {
    const cursor = resumeAt(undefined, all, now);
    cursor.findings![0]! += 1;
    expect(now.findings[0]).toBe(1_000);
  });

  it('is read from its own id (property)', () => {
    const sequences = fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER - 1 }), { minLength: 3, maxLength: 3 });
    const end = new Array<number>(3).fill(36 ** 10);
    fc.assert(
      fc.property(fc.record({ assets: sequences, findings: sequences, scores: sequences }), (vector) => {
        const capped = {
          assets: vector.assets.map(inTen),
          findings: vector.findings.map(inTen),
          scores: vector.scores.map(inTen),
        };
        const ends = { assets: end, findings: end, scores: end };
        expect(resumeAt(formatCursor(capped), all, ends)).toEqual(capped);
      }),
    );
  });
  const inTen = (n: number) => n % 36 ** 10;

  it.each([
    'x',
    '',
    'f:',
    'f:1.2',
    'f:1.2.3.4',
    'f:1.-2.3',
    'f:1.2.3,f:1.2.3',
    'f:1.2.3,',
    'x:1.2.3',
    's:1.2.3,s:1.2.3',
    'F:1.2.3',
  ])('is nowhere for %j, which is no id of this stream', (id) => {
    expect(() => resumeAt(id, all, now)).toThrow('must be the id of an event of this stream');
  });

  it('is nowhere for the id of another installation, which lies ahead', () => {
    expect(() => resumeAt('a:2.0.15', all, now)).toThrow('an event of this installation');
  });
});
