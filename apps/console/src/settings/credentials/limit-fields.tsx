import { t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { NamesInput } from '../../parts/names-input.tsx';

export interface Limits {
  departments: string[];
  locations: string[];
}

export const NO_LIMITS: Limits = { departments: [], locations: [] };

/** The fields of the request. */
export const limitsOf = ({
  departments,
  locations,
}: Limits): Pick<Api['AddCredentialDto'], 'departments' | 'locations'> => ({
  ...(departments.length > 0 && { departments }),
  ...(locations.length > 0 && { locations }),
});

/** Departments and locations whose assets a credential, API token or webhook can see. */
export function LimitFields({
  value,
  isNew = true,
  onChange,
}: {
  value: Limits;
  isNew?: boolean;
  onChange: (limits: Limits) => void;
}) {
  const params = { query: { limit: 500 } };
  const departments = api.useQuery('get', '/api/v3/company/departments', { params });
  const locations = api.useQuery('get', '/api/v3/locations', { params });
  const namesOf = (data?: { items: { name: string }[] }) => data?.items.map(({ name }) => name) ?? [];
  const description = isNew
    ? t`Whose assets are visible. Empty: yours`
    : t`Whose assets are visible. Empty: all`;
  return (
    <>
      <NamesInput
        label={t`Departments`}
        description={description}
        data={namesOf(departments.data)}
        value={value.departments}
        onChange={(chosen) => onChange({ ...value, departments: chosen })}
        maxTags={50}
        acceptValueOnBlur
      />
      <NamesInput
        label={t`Locations`}
        description={description}
        data={namesOf(locations.data)}
        value={value.locations}
        onChange={(chosen) => onChange({ ...value, locations: chosen })}
        maxTags={50}
        acceptValueOnBlur
      />
    </>
  );
}

/** As a cell of a table. */
export function limitsText({
  departments,
  locations,
}: Pick<Api['CredentialDto'], 'departments' | 'locations'>): string {
  // An asset matches both.
  if ([departments, locations].some((names) => names?.length === 0)) {
    return t({ message: 'None', context: 'assets' });
  }
  return (
    [...(departments ?? []), ...(locations ?? [])].join(', ') || t({ message: 'All', context: 'assets' })
  );
}
