import { Injectable } from '@nestjs/common';
import { type ChangeCursor, CursorSeal, formatCursor, parseCursor } from '#libs/changes';
import { type RowLimits, seesAllRows } from '#libs/tables';

/** Cursors as the caller reads and sends them: sealed for limited ones, because plain ones count the changes of all assets. */
@Injectable()
export class CallerCursors {
  constructor(private readonly seal: CursorSeal) {}

  textOf(cursor: ChangeCursor, rows: RowLimits): string {
    return seesAllRows(rows) ? formatCursor(cursor) : this.seal.seal(cursor);
  }

  /** Null if the text is no cursor that the caller may use: a limited one could try how far the changes reach. */
  read(text: string, rows: RowLimits): ChangeCursor | null {
    return this.seal.open(text) ?? (seesAllRows(rows) ? parseCursor(text) : null);
  }
}
