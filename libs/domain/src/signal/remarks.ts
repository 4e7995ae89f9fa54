/** A remark on a field of an upload. */
export interface FieldMessage {
  /** Dotted path such as `securityContexts[1].severity.value`; empty if the whole is meant. */
  field: string;
  /** The expected value; never the sent one. */
  message: string;
}

/** More would not be read, and a hostile signal could cause thousands. */
export const REMARKS_MAX = 20;

/** A hostile path has 6,000 characters, and the log stores 100 warnings with the first event of an upload. */
const FIELD_MAX = 500;

/** Collects remarks: problems reject the signal, warnings accompany it; the first 20 of each. */
export class Remarks {
  readonly problems: FieldMessage[] = [];
  readonly warnings: FieldMessage[] = [];

  problem(field: string, message: string): void {
    if (this.problems.length < REMARKS_MAX) this.problems.push(remark(field, message));
  }

  warn(field: string, message: string): void {
    if (this.warnings.length < REMARKS_MAX) this.warnings.push(remark(field, message));
  }
}

const remark = (field: string, message: string): FieldMessage => ({
  field: field.length > FIELD_MAX ? `${field.slice(0, FIELD_MAX)}…` : field,
  message,
});
