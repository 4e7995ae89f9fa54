import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import classes from './row-selection.module.css';

export interface Selection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}

function changed({ ids, set }: Selection, of: readonly string[], isSelected: boolean): void {
  const after = new Set(ids);
  for (const id of of) isSelected ? after.add(id) : after.delete(id);
  set(after);
}

export function SelectAll({
  ids,
  selection,
  label,
}: {
  ids: readonly string[];
  selection: Selection;
  label?: string;
}) {
  const count = ids.filter((id) => selection.ids.has(id)).length;
  return (
    <Checkbox
      aria-label={t`Select all on this page`}
      label={label}
      checked={count > 0 && count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={({ currentTarget: { checked } }) => changed(selection, ids, checked)}
    />
  );
}

export function SelectOne({ id, name, selection }: { id: string; name: string; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className={classes.select}
      aria-label={t`Select ${name}`}
      checked={selection.ids.has(id)}
      onChange={({ currentTarget: { checked } }) => changed(selection, [id], checked)}
    />
  );
}
