import { plural, t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import type { Scope } from '../../session/scope.ts';
import { refreshIfStale, settled } from '../act.ts';
import { type ApiTokenFields, ApiTokenForm, endAfter, LIFETIMES_DAYS } from './api-token-form.tsx';

type ApiToken = Api['ApiTokenDto'];

export const UNCHANGED = 'unchanged';
export const lifetimesFromNow = () => [
  { value: UNCHANGED, label: t`As before` },
  ...LIFETIMES_DAYS.map((days) => ({
    value: String(days),
    label: plural(days, { one: '# day from now', other: '# days from now' }),
  })),
  { value: '', label: t`No expiry` },
];

/** The secret stays: programs continue with the changed rights. */
export function ApiTokenChange({ of, onClose }: { of: ApiToken; onClose: () => void }) {
  const change = api.useMutation('patch', '/api/v3/tokens/{id}', {
    onSuccess: (changed) => {
      onClose();
      const { name } = changed;
      void settled(changed, t`${name} was changed.`);
    },
    onError: refreshIfStale,
  });
  const { name } = of;
  return (
    <ApiTokenForm
      title={t`Change ${name}`}
      act={t`Change`}
      draft={`token ${of.id} ${of.version}`}
      initial={fieldsOf(of)}
      lifetimes={lifetimesFromNow()}
      isNew={false}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(given) => {
        const body = changesOf(of, given);
        if (Object.keys(body).length === 0) onClose();
        else change.mutate({ params: { path: { id: of.id } }, body: { ...body, version: of.version } });
      }}
      onClose={onClose}
    />
  );
}

const fieldsOf = ({ name, scopes, networks, departments, locations }: ApiToken): ApiTokenFields => ({
  name,
  scopes: scopes as Scope[],
  networks,
  limits: { departments: departments ?? [], locations: locations ?? [] },
  lifetime: UNCHANGED,
});

/** Only what differs, so that a caller with fewer rights than the token can change the rest. */
function changesOf(of: ApiToken, { name, scopes, networks, limits, lifetime }: ApiTokenFields) {
  const changes: Api['ChangeApiTokenDto'] = {};
  if (name !== of.name) changes.name = name;
  if (differ(scopes, of.scopes)) changes.scopes = scopes;
  if (differ(networks, of.networks)) changes.networks = networks;
  if (differ(limits.departments, of.departments)) changes.departments = orNull(limits.departments);
  if (differ(limits.locations, of.locations)) changes.locations = orNull(limits.locations);
  if (lifetime !== UNCHANGED) changes.expiresAt = endAfter(lifetime);
  return changes;
}

const differ = (given: readonly string[], before: readonly string[] | null): boolean =>
  given.length !== (before ?? []).length || given.some((one) => !before?.includes(one));

/** Null: not limited. */
const orNull = (names: string[]): string[] | null => (names.length === 0 ? null : names);
