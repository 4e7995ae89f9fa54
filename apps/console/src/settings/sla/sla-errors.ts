import { t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { type FormErrors, formErrorsOf, isStale } from '../act.ts';

/** The paths of errors that the form shows at a field. */
const FIELD = /^sla\.(?:severity\.\w+|ssvc\.[\w*]+|kev)$/;

/** Messages by the path of the field within `sla`. */
export function slaErrorsOf(error: Failure | null): FormErrors {
  if (error && isStale(error)) {
    return {
      fields: {},
      general: t`Another user changed the settings. Save again to replace their SLA with yours, or discard to see their SLA. The audit trail shows who changed what.`,
    };
  }
  const { fields, general } = formErrorsOf(error, (path) => FIELD.test(path));
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([path, what]) => [path.slice('sla.'.length), what]),
    ),
    general: general?.startsWith('sla: ') ? t`Set at least one number of days, or remove the SLA.` : general,
  };
}
