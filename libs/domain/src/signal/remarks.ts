/** A remark on a field of what was sent. */
export interface FieldMessage {
  /** Dotted path such as `securityContexts[1].severity.value`; empty where the whole is meant. */
  field: string;
  /** What was expected; never the value that was sent. */
  message: string;
}

/** Nobody reads more of them, and a hostile signal could bring thousands. */
export const REMARKS_MAX = 20;

/** Gathers what a reading has to say: problems refuse the signal, warnings go with it; the first 20 of each. */
export class Remarks {
  readonly problems: FieldMessage[] = [];
  readonly warnings: FieldMessage[] = [];

  problem(field: string, message: string): void {
    if (this.problems.length < REMARKS_MAX) this.problems.push({ field, message });
  }

  warn(field: string, message: string): void {
    if (this.warnings.length < REMARKS_MAX) this.warnings.push({ field, message });
  }
}
