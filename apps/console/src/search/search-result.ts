import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { placesFor } from '../app/places.ts';
import type { Scope } from '../session/scope.ts';
import { SECTIONS } from '../settings/sections.ts';

/** A page of the console that a search leads to. */
export interface SearchResult {
  /** Path and query, without the displayed time. */
  to: string;
  label: string;
  /** What distinguishes results with the same label. */
  detail?: string;
}

const CVE = /^CVE-\d{4}-\d{4,19}$/i;
const TECHNIQUE = /^T\d{4}(\.\d{3})?$/i;

const withQuery = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;

/** Pages and sections of the settings whose name contains the text. @param scopes of the user */
export function pagesFor(text: string, scopes: readonly Scope[]): SearchResult[] {
  const wanted = text.toLowerCase();
  const sections = SECTIONS.filter(({ scope }) => scope === null || scopes.includes(scope)).map(
    ({ id, title }) => ({ to: `/settings/${id}`, label: i18n._(title), detail: t`Settings` }),
  );
  const places = placesFor(scopes).map(({ to, label }) => ({ to, label: i18n._(label) }));
  return [...places, ...sections].filter(({ label }) => label.toLowerCase().includes(wanted));
}

/** The findings of a CVE or of an ATT&CK technique, if the text is the ID of one. */
export function findingsOfId(text: string): SearchResult[] {
  const id = text.toUpperCase();
  if (CVE.test(text))
    return [{ to: withQuery('/findings', { state: 'any', cve: id }), label: t`Findings with ${id}` }];
  if (TECHNIQUE.test(text)) {
    return [{ to: withQuery('/findings', { state: 'any', technique: id }), label: t`Findings with ${id}` }];
  }
  return [];
}

export const findingsWith = (text: string): SearchResult => ({
  to: withQuery('/findings', { state: 'any', q: text }),
  label: t`All findings with “${text}”`,
});

export const assetsWith = (text: string): SearchResult => ({
  to: withQuery('/assets', { q: text }),
  label: t`All assets with “${text}”`,
});
