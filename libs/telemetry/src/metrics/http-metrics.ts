import { counter, histogram } from './registry.ts';

/** Why a request was answered 429; one word a place that says so. */
const THROTTLE_REASONS = [
  'fold_lag',
  'json_minute',
  'json_day',
  'memory',
  'zip_queue',
  'previews',
  'reports',
  'sign_in_failures',
  'sign_in_queue',
  'exports',
  'past_reads',
  'change_streams',
  'score_queue',
  'connection_tests',
  'webhook_tests',
] as const;
export type ThrottleReason = (typeof THROTTLE_REASONS)[number];

/** `route` is the template of the route, never the path; `none` if there is no such route. */
export const httpRequestSeconds = histogram({
  name: 'posture_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its response, by route template and status',
  labels: ['method', 'route', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 5, 30],
});

export const httpThrottled = counter({
  name: 'posture_http_throttled_total',
  help: 'Requests rejected with 429, by reason',
  labels: ['reason'],
});
for (const reason of THROTTLE_REASONS) httpThrottled.inc({ reason }, 0);

/** `reason` of a success is `none`. */
export const securityEvents = counter({
  name: 'posture_security_events_total',
  help: 'Sign-ins and rejected uses of access tokens, by reason of the rejection',
  labels: ['kind', 'reason'],
});
for (const reason of ['none', 'wrongPassword', 'unknownUser', 'limited', 'busy'] as const) {
  securityEvents.inc({ kind: 'signIn', reason }, 0);
}
for (const reason of ['revoked', 'invalid'] as const) securityEvents.inc({ kind: 'token', reason }, 0);

export const acceptedSignals = counter({
  name: 'posture_accepted_signals_total',
  help: 'Signals stored in the log and acknowledged, by kind of upload',
  labels: ['kind'],
});
for (const kind of ['json', 'zip', 'inbox', 'sync'] as const) acceptedSignals.inc({ kind }, 0);
