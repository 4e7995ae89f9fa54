import { describe, expect, it } from '@jest/globals';
import { isFailingAlert, unknownStates } from './alert-state.ts';

describe('detections that fail their control (R-EDR-1)', () => {
  it.each<[status: unknown, tags: unknown, isFailing: boolean]>([
    ['new', [], true],
    ['new', ['true_positive'], true],
    ['new', ['ignored'], true],
    ['new', ['false_positive'], false],
    ['in_progress', [], true],
    ['in_progress', ['false_positive'], false],
    ['reopened', [], true],
    ['reopened', ['false_positive'], false],
    ['closed', [], false],
    ['closed', ['falcon_complete'], false],
    ['closed', ['true_positive'], true],
    ['closed', ['ignored'], true],
    ['closed', ['false_positive'], false],
    // As written in older detections, and in the words of the document.
    ['true_positive', [], true],
    ['ignored', [], true],
    ['false_positive', [], false],
    ['New', [], true],
    ['In Progress', [], true],
    ['Re-Opened', [], true],
    ['CLOSED', ['True_Positive'], true],
    // Nothing that is known to fail.
    ['resolved', [], false],
    ['', [], false],
    [null, null, false],
    ['new', 'false_positive', false],
  ])('%p tagged %j: %p', (status, tags, isFailing) => {
    expect(isFailingAlert({ status, tags })).toBe(isFailing);
  });
});

it('states that are unknown are named, each once', () => {
  const states = ['new', 'Re-Opened', 'closed', 'false_positive', 'Pending', 'pending', 'Pending', ''];
  expect(unknownStates(states.map((status) => ({ status })))).toEqual(['Pending', 'pending', '']);
});
