import { t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { type FormErrors, formErrorsOf, isStale } from '../act.ts';
import type { LossDraft } from './loss-draft.ts';

/** The paths of errors that the form shows at a field; it sends no other levels than its own. */
const FIELD =
  /^lossRanges\.(?:currency|(?:byDepartment\.\d+\.)?byCriticality(?:\.\w+(?:\.(?:min|max))?)?|byDepartment\.\d+(?:\.department)?)$/;

/** Messages by the path of the field within `lossRanges`, for the draft as it was sent. */
export function lossErrorsOf(error: Failure | null, draft: LossDraft): FormErrors {
  if (error && isStale(error)) {
    return {
      fields: {},
      general: t`Another user changed the settings. Save again to replace their ranges with yours, or discard to see their ranges. The audit trail shows who changed what.`,
    };
  }
  const { fields, general } = formErrorsOf(error, (path) => FIELD.test(path));
  const found = Object.entries(fields).map(([path, what]) => {
    const place = path.slice('lossRanges.'.length);
    return [place, wordsAt(draft, place) ?? what];
  });
  return { fields: Object.fromEntries(found), general };
}

/** Own words for what the user left empty. */
function wordsAt(draft: LossDraft, place: string): string | undefined {
  if (place === 'byCriticality') return t`Set at least one range, or remove all ranges.`;
  if (place.endsWith('.department') && departmentAt(draft, place) === '')
    return t`Enter the name of a department`;
  return amountAt(draft, place) === '' ? t`Must be a number` : undefined;
}

const departmentAt = ({ departments }: LossDraft, place: string): string | undefined =>
  departments[Number(place.split('.')[1])]?.department.trim();

/** The amount of a path such as `byDepartment.0.byCriticality.low.min`; undefined for other paths. */
function amountAt({ ranges, departments }: LossDraft, path: string): unknown {
  const [, index, rest = path] = /^byDepartment\.(\d+)\.(.*)$/.exec(path) ?? [];
  const own = index === undefined ? ranges : departments[Number(index)]?.ranges;
  const [, level, bound] = rest.split('.');
  return own && bound ? own[level as 'low']?.[bound as 'min'] : undefined;
}
