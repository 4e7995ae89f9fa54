import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { api } from '../api/client.ts';
import { number } from '../language/format.ts';
import { advice } from '../parts/decision.tsx';
import { FilterMenu } from '../parts/filters/filter-menu.tsx';
import { ManyOf, OneOf } from '../parts/filters/option-list.tsx';
import { type TextFilter, TextFilters } from '../parts/filters/text-filters.tsx';
import { typeNames } from '../parts/finding-type.ts';
import { QueryBox } from '../parts/query/query-box.tsx';
import { withoutTerms } from '../parts/query/query-text.ts';
import { useFilterSearch } from '../parts/query/use-filter-search.ts';
import { LEVEL_FROM, LEVELS, type Level, levelNames } from '../parts/severity.tsx';
import type { SlaState } from '../parts/sla-state.tsx';
import { FINDING_STATES, type FindingState, stateNames } from '../parts/state.tsx';
import type { Search } from '../parts/use-search.ts';
import { useSession } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { type FindingFilter, TEXT_FILTERS } from './filter-names.ts';
import { daysAgo, endOfDay } from './filter-times.ts';
import { ANY_STATE, filterLabels, statesOf, useFindingFilter } from './finding-filter.ts';
import { useKnownFindingValues } from './use-known-values.ts';

/** Filters of the finding list. */
export function FindingFilters() {
  const search = useFilterSearch('findings');
  const me = useSession()?.username;
  const isPresent = useAsOf().asOf === null;
  return (
    <Group gap="xs">
      <QueryBox
        list="findings"
        placeholder={t`Search, or filter: severity:critical,high`}
        useKnownValues={useKnownFindingValues}
      />
      <FilterMenu label={t`State`} chosen={statesOf(search).length}>
        {() => <States />}
      </FilterMenu>
      <FilterMenu label={t`Type`} chosen={search.list('type').length}>
        {() => <Types />}
      </FilterMenu>
      <FilterMenu label={t`Severity`} chosen={search.get('severityMin') === undefined ? 0 : 1}>
        {(close) => <Severities onChosen={close} />}
      </FilterMenu>
      {isPresent && (
        <>
          <FilterMenu label={t`Decision`} chosen={search.list('ssvc').length}>
            {() => <Decisions />}
          </FilterMenu>
          <FilterMenu label={t`EPSS`} chosen={search.get('epssMin') === undefined ? 0 : 1}>
            {(close) => <Forecasts onChosen={close} />}
          </FilterMenu>
          <FilterMenu label={t`Exploited`} chosen={EXPLOITED.filter((name) => search.get(name)).length}>
            {(close) => <Exploited onChosen={close} />}
          </FilterMenu>
        </>
      )}
      <FilterMenu label={t`Assignee`} chosen={search.get('assigned') || isMine(search, me) ? 1 : 0}>
        {(close) => <Assignees onChosen={close} />}
      </FilterMenu>
      <FilterMenu label={t`Due`} chosen={['dueBefore', 'sla'].filter((name) => search.get(name)).length}>
        {(close) => <DueDates onChosen={close} />}
      </FilterMenu>
      <FilterMenu label={t`Acceptance`} chosen={search.get('acceptedUntilBefore') === undefined ? 0 : 1}>
        {(close) => <Acceptances onChosen={close} />}
      </FilterMenu>
      <FilterMenu label={t`First seen`} chosen={FIRST_SEEN.some((name) => search.get(name)) ? 1 : 0}>
        {(close) => <FirstSeen onChosen={close} />}
      </FilterMenu>
      <TextFilters search={search} filters={textFilters()} />
    </Group>
  );
}

function textFilters(): TextFilter[] {
  const labels = filterLabels();
  const placeholders: Partial<Record<string, string>> = {
    cve: 'CVE-2021-44228',
    technique: 'T1059.001',
    source: t`Tool name`,
    assignee: t`User or team`,
    tag: 'internet-facing',
  };
  return TEXT_FILTERS.map((name) => ({ name, label: labels[name], placeholder: placeholders[name] }));
}

/** Number of findings per value, with the other filters applied. */
function useCounts(own: keyof FindingFilter, instead: FindingFilter = {}) {
  const { [own]: _, q = '', ...others } = useFindingFilter();
  const text = withoutTerms('findings', q, [own]);
  const query = { ...others, ...(text !== '' && { q: text }), ...instead, ...useAsOf().query };
  return api.useQuery('get', '/api/v3/findings/counts', { params: { query } }, { retry: false }).data;
}

function States() {
  const search = useFilterSearch('findings');
  const names = stateNames();
  const counts = useCounts('state', { state: [...FINDING_STATES] });
  return (
    <ManyOf
      label={t`State`}
      options={FINDING_STATES.map((value) => ({
        value,
        label: names[value],
        count: counts && (counts.state[value] ?? 0),
      }))}
      values={statesOf(search)}
      onChange={(state) => search.set({ state: state.length === 0 ? ANY_STATE : state })}
    />
  );
}

function Types() {
  const search = useFilterSearch('findings');
  const counts = useCounts('type');
  return (
    <ManyOf
      label={t`Type`}
      options={Object.entries(typeNames()).map(([value, label]) => ({
        value,
        label,
        count: counts && (counts.type[value] ?? 0),
      }))}
      values={search.list('type')}
      onChange={(type) => search.set({ type })}
    />
  );
}

function Severities({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('findings');
  const counts = useCounts('severityMin');
  const options = LEVELS.filter((level) => level !== 'info').map((level, i) => ({
    value: String(LEVEL_FROM[level]),
    label: severityLabel(String(LEVEL_FROM[level])),
    count: counts && LEVELS.slice(0, i + 1).reduce((sum, one) => sum + (counts.severityLevel[one] ?? 0), 0),
  }));
  return (
    <OneOf
      label={t`Severity`}
      options={options}
      values={[search.get('severityMin') ?? ''].filter(Boolean)}
      onChange={([severityMin]) => {
        search.set({ severityMin });
        onChosen();
      }}
    />
  );
}

/** Without counts: the service does not count by decision. */
function Decisions() {
  const search = useFilterSearch('findings');
  return (
    <ManyOf
      label={t`Decision`}
      options={Object.entries(advice()).map(([value, advice]) => ({ value, label: `${value}: ${advice}` }))}
      values={search.list('ssvc')}
      onChange={(ssvc) => search.set({ ssvc })}
    />
  );
}

const FORECASTS = ['0.9', '0.5', '0.1', '0.01'];

/** Without counts, as decisions. Other probabilities are typed as `epss:>=`. */
function Forecasts({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('findings');
  return (
    <OneOf
      label={t`EPSS`}
      options={FORECASTS.map((value) => ({ value, label: forecastLabel(value) }))}
      values={[search.get('epssMin') ?? ''].filter(Boolean)}
      onChange={([epssMin]) => {
        search.set({ epssMin });
        onChosen();
      }}
    />
  );
}

/** `at least 10 %`. */
export function forecastLabel(probability: string): string {
  const percents = number(100 * Number(probability), { maximumFractionDigits: 3 });
  return t`at least ${percents} %`;
}

const EXPLOITED = ['kev', 'ransomware'] as const;

/** Without counts, as decisions. */
function Exploited({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('findings');
  return (
    <OneOf
      label={t`Exploited`}
      options={[
        { value: 'kev', label: t`Known exploited (KEV)` },
        { value: 'ransomware', label: t`Used by ransomware` },
      ]}
      values={EXPLOITED.filter((name) => search.get(name))}
      onChange={([value]) => {
        search.set({ kev: undefined, ransomware: undefined, ...(value && { [value]: 'true' }) });
        onChosen();
      }}
    />
  );
}

const ME = 'me';

const isMine = (search: Search, me: string | undefined): boolean =>
  me !== undefined && search.get('assignee') === me;

/** Other users and teams are under More. */
function Assignees({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('findings');
  const me = useSession()?.username;
  return (
    <OneOf
      label={t`Assignee`}
      options={[
        { value: ME, label: t`Me` },
        { value: 'true', label: t`Assigned` },
        { value: 'false', label: t`Not assigned` },
      ]}
      values={isMine(search, me) ? [ME] : [search.get('assigned') ?? ''].filter(Boolean)}
      onChange={([value]) => {
        search.set({ assignee: value === ME ? me : undefined, assigned: value === ME ? undefined : value });
        onChosen();
      }}
    />
  );
}

/** States of the findings that have a state of the SLA. */
const STATES_OF: Record<SlaState, readonly FindingState[]> = {
  overdue: ['Failed', 'NotAssessed'],
  due: ['Failed', 'NotAssessed'],
  met: ['Qualified'],
  missed: ['Qualified'],
};

const isSlaState = (value: string | undefined): value is SlaState =>
  value !== undefined && Object.hasOwn(STATES_OF, value);

function DueDates({ onChosen }: { onChosen: () => void }) {
  const { asOf } = useAsOf();
  const search = useFilterSearch('findings');
  return (
    <OneOf
      label={t`Due`}
      options={[
        { value: 'overdue', label: t`Overdue` },
        { value: 'due', label: t`Due, not overdue` },
        { value: endOfDay(7, asOf), label: t`Within 7 days` },
        { value: endOfDay(30, asOf), label: t`Within 30 days` },
        { value: 'met', label: t`Met: remedied in time` },
        { value: 'missed', label: t`Missed: remedied late` },
      ]}
      values={[search.get('sla') ?? search.get('dueBefore') ?? ''].filter(Boolean)}
      onChange={([value]) => {
        const isState = isSlaState(value);
        search.set({
          sla: isState ? value : undefined,
          dueBefore: isState ? undefined : value,
          ...(isState && isExcluded(statesOf(search), STATES_OF[value]) && { state: ANY_STATE }),
        });
        onChosen();
      }}
    />
  );
}

/** Of accepted findings. */
function Acceptances({ onChosen }: { onChosen: () => void }) {
  const { asOf } = useAsOf();
  const search = useFilterSearch('findings');
  return (
    <OneOf
      label={t`Acceptance`}
      options={[
        { value: endOfDay(7, asOf), label: t`Ends within 7 days` },
        { value: endOfDay(30, asOf), label: t`Ends within 30 days` },
      ]}
      values={[search.get('acceptedUntilBefore') ?? ''].filter(Boolean)}
      onChange={([acceptedUntilBefore]) => {
        const isHidden =
          acceptedUntilBefore !== undefined && isExcluded(statesOf(search), ['AcceptedFailed']);
        search.set({ acceptedUntilBefore, ...(isHidden && { state: 'AcceptedFailed' }) });
        onChosen();
      }}
    />
  );
}

/** Whether the states of a filter leave none of those of another. */
const isExcluded = (states: readonly string[], wanted: readonly FindingState[]): boolean =>
  states.length > 0 && !wanted.some((state) => states.includes(state));

const FIRST_SEEN = ['firstSeenAfter', 'firstSeenBefore'] as const;

function FirstSeen({ onChosen }: { onChosen: () => void }) {
  const { asOf } = useAsOf();
  const search = useFilterSearch('findings');
  const options = [
    { name: 'firstSeenAfter', days: 1, label: t`Since yesterday` },
    { name: 'firstSeenAfter', days: 7, label: t`In the last 7 days` },
    { name: 'firstSeenAfter', days: 30, label: t`In the last 30 days` },
    { name: 'firstSeenBefore', days: 90, label: t`More than 90 days ago` },
  ].map(({ name, days, label }) => ({ name, label, value: daysAgo(days, asOf) }));
  return (
    <OneOf
      label={t`First seen`}
      options={options}
      values={FIRST_SEEN.flatMap((name) => search.get(name) ?? [])}
      onChange={([value]) => {
        const chosen = options.find((option) => option.value === value);
        const none = { firstSeenAfter: undefined, firstSeenBefore: undefined };
        search.set({ ...none, ...(chosen && { [chosen.name]: chosen.value }) });
        onChosen();
      }}
    />
  );
}

/** `High and above`; other numbers from the address unchanged. */
export function severityLabel(from: string): string {
  const level = LEVELS.find((one) => LEVEL_FROM[one] === Number(from));
  if (level === undefined) return t`from ${from}`;
  const labels: Record<Level, string> = {
    critical: levelNames().critical,
    high: t`High and above`,
    medium: t`Medium and above`,
    low: t`Low and above`,
    info: t`Info and above`,
  };
  return labels[level];
}
