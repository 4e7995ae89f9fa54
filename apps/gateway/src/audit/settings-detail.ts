import type { posture2 } from '#libs/domain';
import { lossRows } from '../organization/loss-rows.ts';

type Values<Value> = Record<string, Value>;

/** What the audit trail has of a change of the settings: values before and after it, or the refused request with JSON texts. */
interface SettingsDetail {
  before?: Values<unknown>;
  after?: Values<unknown>;
  asked?: { changes: Values<string> };
}

/** The detail of `settings.changed` with the settings as the API names them: the log has two by other names (ADR-0160). */
export function settingsDetail({ before, after, asked }: SettingsDetail): SettingsDetail {
  if (asked) return { asked: { ...asked, changes: named(asked.changes, rowsInJson) } };
  return { before: named(before, rowsOf), after: named(after, rowsOf) };
}

const named = <Value>(values: Values<Value> = {}, rows: (ranges: Value) => Value): Values<Value> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name === 'incidentRates') return ['baseRate', value];
      return name === 'lossRanges' ? ['loss', rows(value)] : [name, value];
    }),
  );

const rowsOf = (ranges: unknown) => lossRows(ranges as posture2.LossRanges | null);
const rowsInJson = (ranges: string) => JSON.stringify(rowsOf(JSON.parse(ranges)));
