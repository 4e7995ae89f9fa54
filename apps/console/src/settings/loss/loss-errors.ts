import { t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { type FormErrors, formErrorsOf, isStale } from '../act.ts';
import { type LossDraft, lossRowsOf } from './loss-draft.ts';

const FIELD = /^loss\.\d+(?:\.\w+)?$/;

/** Messages by the path of the field in the form. @param draft as it was sent */
export function lossErrorsOf(error: Failure | null, draft: LossDraft): FormErrors {
  if (error && isStale(error)) {
    return {
      fields: {},
      general: t`Another user changed the settings. Save again to replace their ranges with yours, or discard to see their ranges. The audit trail shows who changed what.`,
    };
  }
  const { fields, general } = formErrorsOf(error, (path) => FIELD.test(path));
  const found = Object.entries(fields).map(([path, what]) => {
    const place = placeOf(path, draft);
    return [place, wordsAt(draft, place) ?? what];
  });
  return { fields: Object.fromEntries(found), general };
}

/** Where the form shows an error about a path such as `loss.3.max`. */
function placeOf(path: string, draft: LossDraft): string {
  const [, index, name] = path.split('.');
  const { place } = lossRowsOf(draft)[Number(index)]!;
  if (name === 'currency') return name;
  if (name === 'department') return place.replace(/byCriticality.*/, name);
  return name && !place.endsWith(MISSING) ? `${place}.${name}` : place;
}

/** End of the place of a missing range. */
const MISSING = 'byCriticality';

/** Own words for what the user left empty. */
function wordsAt(draft: LossDraft, place: string): string | undefined {
  if (place === MISSING) return t`Set at least one range, or remove all ranges.`;
  if (place.endsWith(MISSING)) return t`Set at least one range, or remove the department.`;
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
