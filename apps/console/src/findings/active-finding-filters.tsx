import { t } from '@lingui/core/macro';
import { api } from '../api/client.ts';
import { list } from '../language/format.ts';
import { type ActiveFilter, ActiveFilters } from '../parts/filters/active-filters.tsx';
import { typeNames } from '../parts/finding-type.ts';
import { localInstant } from '../parts/instant.tsx';
import { levelWord } from '../parts/severity.tsx';
import { type SlaState, slaStateNames } from '../parts/sla-state.tsx';
import { stateNames } from '../parts/state.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { uploadTitle } from '../uploads/words.ts';
import { OTHER_FILTERS, TEXT_FILTERS } from './filter-names.ts';
import { ANY_STATE, filterLabels, statesOf } from './finding-filter.ts';
import { forecastLabel, severityLabel } from './finding-filters.tsx';

export function ActiveFindingFilters() {
  const search = useSearch();
  const labels = filterLabels();
  const filters: ActiveFilter[] = [
    { name: 'state', label: t`State`, value: named(statesOf(search), stateNames()) },
    { name: 'type', label: t`Type`, value: named(search.list('type'), typeNames()) },
    { name: 'severityMin', label: t`Severity`, value: severityOf(search.get('severityMin')) },
    {
      name: 'severity',
      label: t`Severity level`,
      value: list(search.list('severity').map(levelWord), 'unit'),
    },
    { name: 'ssvc', label: t`Decision`, value: list(search.list('ssvc'), 'unit') },
    { name: 'epssMin', label: t`EPSS`, value: forecastOf(search.get('epssMin')) },
    { name: 'kev', label: t`Known exploited`, value: search.get('kev') && t`yes` },
    { name: 'ransomware', label: t`Used by ransomware`, value: search.get('ransomware') && t`yes` },
    { name: 'assigned', label: t`Assigned`, value: assignedOf(search.get('assigned')) },
    { name: 'dueBefore', label: t`Due before`, value: instantOf(search.get('dueBefore')) },
    {
      name: 'acceptedUntilBefore',
      label: t`Acceptance ends before`,
      value: instantOf(search.get('acceptedUntilBefore')),
    },
    { name: 'firstSeenAfter', label: t`First seen since`, value: instantOf(search.get('firstSeenAfter')) },
    { name: 'firstSeenBefore', label: t`First seen before`, value: instantOf(search.get('firstSeenBefore')) },
    { name: 'settledAfter', label: t`Settled since`, value: instantOf(search.get('settledAfter')) },
    { name: 'failedAfter', label: t`Failed since`, value: instantOf(search.get('failedAfter')) },
    { name: 'reopenedAfter', label: t`Failed again since`, value: instantOf(search.get('reopenedAfter')) },
    { name: 'sla', label: t`Due`, value: slaOf(search.get('sla')) },
    ...[...TEXT_FILTERS, ...OTHER_FILTERS].map((name) => ({
      name,
      label: labels[name],
      value: search.get(name),
    })),
  ].filter(({ value }) => value);
  return (
    <ActiveFilters
      unfiltered={{ state: ANY_STATE }}
      filters={filters.map((one) => {
        const id = String(one.value);
        if (one.name === 'assetId') return { ...one, label: t`Asset`, value: <AssetName id={id} /> };
        if (one.name === 'upload') return { ...one, value: <UploadName id={id} /> };
        return one;
      })}
    />
  );
}

const named = (values: string[], names: Record<string, string>) =>
  list(
    values.map((value) => names[value] ?? value),
    'unit',
  );

const assignedOf = (value: string | undefined) => ({ true: t`yes`, false: t`no` })[value ?? ''] ?? value;

const slaOf = (state: string | undefined) => state && (slaStateNames()[state as SlaState] ?? state);
const instantOf = (value: string | undefined) => value && localInstant(value);

const forecastOf = (probability: string | undefined) => probability && forecastLabel(probability);

const severityOf = (from: string | undefined) => from && severityLabel(from);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The name of the asset, or its ID until the name is loaded or if no asset has this ID. */
function AssetName({ id }: { id: string }) {
  const { query } = useAsOf();
  const { data } = api.useQuery(
    'get',
    '/api/v3/assets/{id}',
    { params: { path: { id }, query } },
    { enabled: UUID.test(id), retry: false },
  );
  return data?.name ?? id;
}

/** The kind and time of the upload, or its ID until they are loaded or if the user cannot read them. */
function UploadName({ id }: { id: string }) {
  const { data } = api.useQuery(
    'get',
    '/api/v3/uploads/{id}',
    { params: { path: { id } } },
    { enabled: UUID.test(id), retry: false },
  );
  return data ? uploadTitle(data) : id;
}
