import { t } from '@lingui/core/macro';
import { Autocomplete, MultiSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { locale } from '../../language/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { type FindingType, typeOptions } from '../../parts/finding-type.ts';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { withoutIds } from '../ordered-rows.ts';
import type { Row, Typing } from './mapping.ts';

/** The edited item: an existing row, a new row, or the default, which has no pattern and no position. */
export type Edited = { row: Row; at: number; isNew: boolean } | { fallback: Typing };

export function MappingRowForm({
  edited,
  rows,
  onDone,
  onClose,
}: {
  edited: Edited;
  rows: readonly Row[];
  onDone: (edited: Edited) => void;
  onClose: () => void;
}) {
  const [now, setNow] = useKept(
    `row of the OS mapping ${nameOf(edited)}`,
    () => edited,
    undefined,
    withoutIds,
  );
  const typing = 'row' in now ? now.row : now.fallback;
  const set = (change: Partial<Row>) =>
    setNow((before) =>
      'row' in before
        ? { ...before, row: { ...before.row, ...change } }
        : { fallback: { ...before.fallback, ...change } },
    );
  const placesMax = rows.length + ('row' in now && now.isNew ? 1 : 0);
  return (
    <Dialog
      onClose={onClose}
      title={'fallback' in edited ? t`Change the default` : edited.isNew ? t`Add a row` : t`Change a row`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(now);
        }}
      >
        <Stack>
          {'row' in now && (
            <>
              <TextInput
                label={t`Pattern`}
                description={t`Matches the whole operating system name, case-insensitive. * matches any characters.`}
                placeholder="*windows*server*"
                dir="ltr"
                value={now.row.osPattern}
                onChange={({ currentTarget }) => set({ osPattern: currentTarget.value })}
                required
                maxLength={200}
                data-autofocus
              />
              <NumberInput
                label={t`Position`}
                description={t`The first matching row applies. Put specific patterns before general ones.`}
                value={now.at + 1}
                onChange={(place) => typeof place === 'number' && setNow({ ...now, at: place - 1 })}
                min={1}
                max={placesMax}
                allowDecimal={false}
              />
            </>
          )}
          <Autocomplete
            label={t`Asset type`}
            value={typing.assetType}
            onChange={(assetType) => set({ assetType })}
            data={distinct(rows.map(({ assetType }) => assetType))}
            required
            maxLength={100}
          />
          <Autocomplete
            label={t`Attack surface`}
            description={t`Where the asset can be attacked`}
            value={typing.attackSurface}
            onChange={(attackSurface) => set({ attackSurface })}
            data={distinct(rows.map(({ attackSurface }) => attackSurface))}
            required
            maxLength={100}
          />
          <MultiSelect
            label={t`Supported finding types`}
            description={t`Counts of other finding types are not shown for these assets.`}
            data={typeOptions()}
            value={typing.supports}
            onChange={(supports) => set({ supports: supports as FindingType[] })}
          />
          <FormButtons act={'row' in now && now.isNew ? t`Add to list` : t`Update list`} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** A row keeps its id while the list has changes. */
function nameOf(edited: Edited): string {
  if ('fallback' in edited) return 'default';
  return edited.isNew ? 'new' : String(edited.row.id);
}

const distinct = (texts: string[]): string[] =>
  [...new Set(texts)].toSorted((a, b) => a.localeCompare(b, locale()));
