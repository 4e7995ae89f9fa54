import { plural, t } from '@lingui/core/macro';
import { MultiSelect, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import type { Scope } from '../../session/scope.ts';
import { namedFormErrorsOf } from '../act.ts';
import { LimitFields, type Limits } from '../credentials/limit-fields.tsx';
import { FormError } from '../form-error.tsx';
import { scopeOptions } from './scopes.ts';

const DAY_MS = 86_400_000;
/** Days until a token expires that can be selected. */
export const LIFETIMES_DAYS = [30, 90, 365];

/** The lifetimes of a new token as options. */
export const lifetimes = () => [
  ...LIFETIMES_DAYS.map((days) => ({
    value: String(days),
    label: plural(days, { one: '# day', other: '# days' }),
  })),
  { value: '', label: t`No expiry` },
];

const FIELDS = new Set(['name', 'scopes', 'networks']);

/** What the form states of a token. */
export interface ApiTokenFields {
  name: string;
  scopes: Scope[];
  networks: string[];
  limits: Limits;
  /** One of the values of `lifetimes`. */
  lifetime: string;
}

/** @param lifetime a number of days, or an empty text: no end */
export const endAfter = (lifetime: string): string | null =>
  lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();

export function ApiTokenForm({
  title,
  act,
  draft,
  initial,
  lifetimes,
  isNew,
  error,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: ReactNode;
  act: string;
  draft: string;
  initial: ApiTokenFields;
  lifetimes: { value: string; label: string }[];
  isNew: boolean;
  error: Failure | null;
  isBusy: boolean;
  onSubmit: (given: ApiTokenFields) => void;
  onClose: () => void;
}) {
  const [scopes, setScopes] = useKept(`scopes of ${draft}`, () => initial.scopes);
  const [networks, setNetworks] = useKept(`networks of ${draft}`, () => initial.networks);
  const [limits, setLimits] = useKept(`limits of ${draft}`, () => initial.limits);
  const keptFields = useKeptFields(draft);
  const { fields, general } = namedFormErrorsOf(error, (path) => FIELDS.has(path));
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const [name, lifetime] = [String(form.get('name')), String(form.get('lifetime'))];
          onSubmit({ name, scopes, networks, limits, lifetime });
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            name="name"
            label={t`Name`}
            description={t`Letters, digits and . _ - @ +`}
            defaultValue={initial.name}
            error={fields.name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <MultiSelect
            label={t`Scopes`}
            description={t`Permissions of the token`}
            data={scopeOptions()}
            value={scopes}
            onChange={(chosen) => setScopes(chosen as Scope[])}
            error={fields.scopes}
            searchable
          />
          <TagsInput
            label={t`Networks`}
            description={t`Addresses and networks that can use the token. Empty: any`}
            placeholder={networks.length === 0 ? '203.0.113.0/24' : ''}
            value={networks}
            dir="ltr"
            onChange={setNetworks}
            error={fields.networks}
            maxTags={20}
            acceptValueOnBlur
          />
          <LimitFields value={limits} isNew={isNew} onChange={setLimits} />
          <NativeSelect
            name="lifetime"
            label={t`Expires after`}
            data={lifetimes}
            defaultValue={initial.lifetime}
          />
          <FormButtons act={act} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
