/** How items become a file; every part is text in UTF-8. */
export interface ExportFormat<T> {
  mediaType: string;
  /** Of the file's name, without a dot. */
  extension: string;
  beginning(): string;
  /** @param isFirst whether no item came before these */
  items(items: T[], isFirst: boolean): string;
  end(): string;
}

/** One JSON value a line, each the item as the list has it. */
export const jsonLines: ExportFormat<unknown> = {
  mediaType: 'application/jsonl; charset=utf-8',
  extension: 'jsonl',
  beginning: () => '',
  items: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
  end: () => '',
};
