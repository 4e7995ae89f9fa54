import { createHash } from 'node:crypto';
import { isoTime, type RawSecurityContext, type Signal } from '#libs/domain';
import type { PulledSignal } from '../connector.ts';
import { instantOf, type Json, textOf } from '../json-values.ts';
import { pulledSignalId } from '../signal-id.ts';
import { type AlertControl, controlOf } from './alert-control.ts';
import { alertEvidence } from './alert-evidence.ts';
import { alertSeverity } from './alert-severity.ts';
import { alertStatus, alertTags, isFailingAlert } from './alert-state.ts';

/** A detection and the host that it is about. */
export interface HostAlert {
  host: string;
  alert: Json;
}

/** Instances of one signal: several signals of one control merge in the fold, so none outgrows a log record. */
const INSTANCES_MAX = 100;
/** As long as the schema lets a key be. */
const KEY_CHARS_MAX = 200;
const TAGS_MAX = 20;

interface Group {
  host: string;
  control: AlertControl;
  alerts: Json[];
}

/**
 * Detections as signals of type `edr`, one for each host and control, their instances keyed by detection (R-FIND-6). A
 * signal's data about its control is independent of the detections on a page, so that pages merge in any order; the
 * data of a detection is in its instance. The signal has only the name of the host: the host's own record describes it.
 */
export function alertSignals(alerts: readonly HostAlert[], source: string): Signal[] {
  const open = new Map<string, Group>();
  const groups: Group[] = [];
  for (const { host, alert } of alerts) {
    const control = controlOf(alert);
    const key = `${host.toLowerCase()}\n${control.name.toLowerCase()}`;
    let group = open.get(key);
    if (!group || group.alerts.length >= INSTANCES_MAX) {
      group = { host, control, alerts: [] };
      open.set(key, group);
      groups.push(group);
    }
    group.alerts.push(alert);
  }
  return groups.map((group) => signalOf(group, source));
}

/** Signals that end the instances of detections where there are any, and otherwise change nothing. */
export const endSignals = (alerts: readonly HostAlert[], source: string): PulledSignal[] =>
  alertSignals(alerts, source).map((one) => ({ ...one, revoked: true, onlyKnown: true }));

function signalOf({ host, control, alerts }: Group, source: string): Signal {
  const latest = new Map(alerts.map((alert) => [detectionKey(alert), alert]));
  const seen = alerts.flatMap(
    (alert) => instantOf(alert.timestamp) ?? instantOf(alert.created_timestamp) ?? [],
  );
  return {
    id: pulledSignalId(source, 'alerts', host, control.name, ...latest.keys()),
    name: control.name,
    description: control.description,
    source: { name: source },
    entity: { type: 'machine', name: host },
    securityContexts: [...latest].map(([key, alert]) => contextOf(key, alert)),
    ...(seen.length > 0 && {
      firstSeen: isoTime(Math.min(...seen)),
      lastSeen: isoTime(Math.max(...seen)),
    }),
  };
}

function contextOf(detectionId: string, alert: Json): RawSecurityContext {
  const { techniques, vendorTechnique } = controlOf(alert);
  const evidence = alertEvidence(alert);
  const status = alertStatus(alert);
  const tags = alertTags(alert).slice(0, TAGS_MAX);
  return {
    type: 'edr',
    controlType: 'detection',
    detectionId,
    status: {
      complianceStatus: isFailingAlert(alert) ? 'fail' : 'pass',
      ...(status !== '' && { workflowStatus: status }),
    },
    severity: alertSeverity(alert),
    ...(techniques.length > 0 && { standardsMapping: [{ name: 'ttp', value: techniques }] }),
    // Kept as a technique that does not count, and the finding says so (R-EDR-2).
    ...(vendorTechnique && {
      attackPattern: [
        {
          sourceName: 'vendor',
          mapping: { techniqueId: vendorTechnique.id, techniqueName: vendorTechnique.name },
        },
      ],
    }),
    ...(evidence !== null && { evidence: { observationText: evidence } }),
    ...(tags.length > 0 && { tags: { 'detection-tags': tags } }),
  };
}

/** The detection's id; a hash of the detection if it has none, or a longer one than a key may be. */
function detectionKey(alert: Json): string {
  const id = textOf(alert.composite_id, KEY_CHARS_MAX + 1) || textOf(alert.id, KEY_CHARS_MAX + 1);
  if (id !== '' && id.length <= KEY_CHARS_MAX) return id;
  return createHash('sha256')
    .update(textOf(alert.composite_id, 100_000) || JSON.stringify(alert))
    .digest('hex');
}
