import type { ObservedInstance, Severity } from '../events.ts';
import type { ActiveState, Finding } from '../state.ts';

/** Failed while any counted instance fails, otherwise Qualified; Not Assessed if all are unknown (R-FIND-7). */
export function stateOf(instances: readonly ObservedInstance[]): ActiveState {
  if (instances.some(({ counted, status }) => counted && status === 'fail')) return 'Failed';
  return instances.every(({ status }) => status === 'unknown') ? 'NotAssessed' : 'Qualified';
}

const NO_SEVERITY: Severity = {
  value: 0,
  level: null,
  type: null,
  version: null,
  vector: null,
  baseScore: null,
  temporalScore: null,
  environmentalScore: null,
};

/** The failing, counted ones; all if none fails. */
export function decisiveInstances(instances: readonly ObservedInstance[]): readonly ObservedInstance[] {
  const failing = instances.filter(({ status, counted }) => counted && status === 'fail');
  return failing.length > 0 ? failing : instances;
}

/** Severity of the worst failing instance; of the worst of all if none fails; none if there is no instance. */
export function severityOf({ instances }: Pick<Finding, 'instances'>): Severity {
  const decisive = decisiveInstances(instances);
  return decisive.reduce(
    (worst, { severity }) => (severity.value > worst.value ? severity : worst),
    decisive[0]?.severity ?? NO_SEVERITY,
  );
}

const distinct = (values: string[]) => [...new Set(values)];

export const cvesOf = ({ instances }: { instances: readonly ObservedInstance[] }): string[] =>
  distinct(instances.flatMap(({ cves }) => cves));

export const techniquesOf = ({ instances }: Pick<Finding, 'instances'>): string[] =>
  distinct(instances.flatMap(({ techniques }) => techniques));

/** The evidence of all instances, one a line: if several fail, all are visible. */
export const observationOf = ({ instances }: Pick<Finding, 'instances'>): string | null =>
  distinct(instances.flatMap(({ evidence }) => evidence ?? [])).join('\n') || null;
