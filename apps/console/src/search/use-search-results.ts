import { t } from '@lingui/core/macro';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Failure } from '../api/client.ts';
import { stateNames } from '../parts/state.tsx';
import type { Scope } from '../session/scope.ts';
import { useSession } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { assetsWith, findingsOfId, findingsWith, pagesFor, type SearchResult } from './search-result.ts';

const EACH_MAX = 5;
/** The service searches for words, which contain a letter or a digit. One character finds too much. */
const SEARCHABLE = /[\p{L}\p{N}]/u;
const CHARACTERS_MIN = 2;

export interface ResultGroup {
  title: string;
  results: SearchResult[];
}

/** What a text finds: IDs and pages at once, assets and findings as of the displayed time when the service has answered. */
export function useSearchResults(text: string): {
  groups: ResultGroup[];
  isSearching: boolean;
  /** Some results are those of an earlier text, until the service answers. */
  isStale: boolean;
  failure: Failure | null;
} {
  const scopes = useSession()?.scopes ?? [];
  const { query: instant } = useAsOf();
  const enabled = text.length >= CHARACTERS_MIN && SEARCHABLE.test(text);
  const query = { q: text, limit: EACH_MAX, ...instant };
  const optionsOf = (scope: Scope) => ({
    enabled: enabled && scopes.includes(scope),
    retry: false,
    placeholderData: keepPreviousData,
  });
  const assets = api.useQuery('get', '/api/v3/assets', { params: { query } }, optionsOf('assets:read'));
  const findings = api.useQuery('get', '/api/v3/findings', { params: { query } }, optionsOf('findings:read'));
  const foundAssets = (enabled ? (assets.data?.items ?? []) : []).map(({ id, name, type }) => ({
    to: `/assets/${id}`,
    label: name,
    detail: type,
  }));
  const foundFindings = (enabled ? (findings.data?.items ?? []) : []).map(
    ({ id, name, assetName, state }) => ({
      to: `/findings/${id}`,
      label: name,
      detail: `${assetName}, ${stateNames()[state]}`,
    }),
  );
  const lists = [
    ...(foundAssets.length > 0 ? [assetsWith(text)] : []),
    ...(foundFindings.length > 0 ? [findingsWith(text)] : []),
  ];
  const groups: ResultGroup[] = [
    { title: t`CVEs and techniques`, results: scopes.includes('findings:read') ? findingsOfId(text) : [] },
    { title: t`Pages`, results: pagesFor(text, scopes).slice(0, EACH_MAX) },
    { title: t`Assets`, results: foundAssets },
    { title: t`Findings`, results: foundFindings },
    { title: t`Lists`, results: lists },
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    isStale: enabled && (assets.isPlaceholderData || findings.isPlaceholderData),
    isSearching: enabled && (assets.isFetching || findings.isFetching),
    failure: enabled
      ? (failureOf(assets, findings) ?? failureOf(findings, assets) ?? pauseOf(assets, findings))
      : null,
  };
}

interface ListQuery {
  error: Failure | null;
  data?: { items: unknown[] } | undefined;
}

/** Values of a key differ from list to list: `type:Server` is wrong for findings, and finds assets. */
function failureOf({ error }: ListQuery, { data }: ListQuery): Failure | null {
  const isWrongText = error !== null && !(error instanceof Error) && error.statusCode === 400;
  return isWrongText && (data?.items.length ?? 0) > 0 ? null : error;
}

/** Without a network, requests wait. */
const pauseOf = (...queries: { isPaused: boolean }[]): Error | null =>
  queries.some(({ isPaused }) => isPaused) ? new Error('no network') : null;
