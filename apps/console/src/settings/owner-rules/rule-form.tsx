import { t } from '@lingui/core/macro';
import { NumberInput, Stack, TextInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { NamesInput } from '../../parts/names-input.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { UserOrTeam } from '../../parts/user-or-team.tsx';
import { withoutIds } from '../ordered-rows.ts';
import { type Row, tagOf, tagText } from './rules.ts';

/** As the service limits them. */
const NAMES_MAX = 20;
const TAGS_MAX = 10;
const OWNER_CHARACTERS_MAX = 256;

/** The edited rule. @param at its index */
export interface Edited {
  row: Row;
  at: number;
  isNew: boolean;
}

export function RuleForm({
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
  const draft = `owner rule ${edited.isNew ? 'new' : edited.row.id}`;
  const [{ row, at, isNew }, setNow] = useKept(draft, () => edited, undefined, withoutIds);
  const [tags, setTags] = useKept(`tags of ${draft}`, () => edited.row.tags.map(tagText));
  const set = (change: Partial<Row>) =>
    setNow((before) => ({ ...before, row: { ...before.row, ...change } }));
  const wrong = tags.find((text) => tagOf(text) === null);
  const params = { query: { limit: 500 } };
  const departments = api.useQuery('get', '/api/v3/company/departments', { params });
  const locations = api.useQuery('get', '/api/v3/locations', { params });
  return (
    <Dialog onClose={onClose} title={isNew ? t`Add a rule` : t`Change a rule`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wrong !== undefined) return;
          onDone({ row: { ...row, tags: tags.flatMap((text) => tagOf(text) ?? []) }, at, isNew });
        }}
      >
        <Stack>
          <UserOrTeam
            label={t`Owner`}
            value={row.owner.type}
            onChange={(type) => set({ owner: { ...row.owner, type: type as 'user' | 'team' } })}
            mayBeNobody={false}
          />
          <TextInput
            label={t`Name`}
            value={row.owner.name}
            onChange={({ currentTarget }) => set({ owner: { ...row.owner, name: currentTarget.value } })}
            required
            maxLength={OWNER_CHARACTERS_MAX}
            data-autofocus
          />
          <NamesInput
            label={t`Departments`}
            description={t`The asset belongs to one of them. Empty: to any`}
            data={namesOf(departments.data)}
            value={row.departments}
            onChange={(chosen) => set({ departments: chosen })}
            maxTags={NAMES_MAX}
            acceptValueOnBlur
          />
          <NamesInput
            label={t`Locations`}
            description={t`The asset belongs to one of them. Empty: to any`}
            data={namesOf(locations.data)}
            value={row.locations}
            onChange={(chosen) => set({ locations: chosen })}
            maxTags={NAMES_MAX}
            acceptValueOnBlur
          />
          <NamesInput
            label={t`Tags`}
            description={t`The asset has all of them. Write key=value`}
            placeholder="env=prod"
            value={tags}
            onChange={setTags}
            maxTags={TAGS_MAX}
            acceptValueOnBlur
            error={wrong !== undefined && t`Write ${wrong} as key=value.`}
          />
          <NumberInput
            label={t`Position`}
            description={t`The first matching rule applies. Put specific rules before general ones.`}
            value={at + 1}
            onChange={(place) =>
              typeof place === 'number' && setNow((before) => ({ ...before, at: place - 1 }))
            }
            min={1}
            max={rows.length + (isNew ? 1 : 0)}
            allowDecimal={false}
          />
          <FormButtons act={isNew ? t`Add to list` : t`Update list`} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

const namesOf = (data?: { items: { name: string }[] }) => data?.items.map(({ name }) => name) ?? [];
