import { type Json, textOf, textsOf } from '../json-values.ts';

/** States of an open detection, as the platform writes them. */
export const OPEN_STATES = ['new', 'in_progress', 'reopened'];
const OPEN = new Set(OPEN_STATES);
/** States of older detections that newer ones have as `closed` with a tag (legacy detects). */
const LEGACY_FAILING = new Set(['true_positive', 'ignored']);
/** States of a detection that is done with; a tag may still say that it was one. */
const DONE = new Set(['closed', 'false_positive']);
const TAGS_MAX = 1_000;

/** `Re-Opened` and `In Progress` as `reopened` and `in_progress`. */
export const alertStatus = ({ status }: Json): string =>
  textOf(status, 100)
    .toLowerCase()
    .replace(/^re[-_ ]opened$/, 'reopened')
    .replace(/[\s-]+/g, '_');

/** States of these detections that mean nothing here, each once, as the platform writes them. */
export const unknownStates = (alerts: readonly Json[]): string[] => [
  ...new Set(
    alerts
      .filter((alert) => ![OPEN, LEGACY_FAILING, DONE].some((states) => states.has(alertStatus(alert))))
      .map(({ status }) => textOf(status, 100)),
  ),
];

export const alertTags = ({ tags }: Json): string[] => textsOf(tags, TAGS_MAX, 100);

/**
 * Whether a detection fails its control (R-EDR-1): open ones unless tagged
 * `false_positive`, closed ones that are tagged `true_positive` or `ignored`. Any other is an
 * uncounted instance.
 */
export function isFailingAlert(alert: Json): boolean {
  const status = alertStatus(alert);
  const tags = new Set(alertTags(alert).map((tag) => tag.toLowerCase()));
  if (OPEN.has(status)) return !tags.has('false_positive');
  if (status === 'closed') return tags.has('true_positive') || tags.has('ignored');
  return LEGACY_FAILING.has(status);
}
