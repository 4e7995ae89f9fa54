import { t } from '@lingui/core/macro';

/** What the value of a filter means, by its parameter. The API describes other parameters, in English. */
export const termWords = (list: 'assets' | 'findings'): Record<string, string> =>
  list === 'assets' ? assetTerms() : findingTerms();

const assetTerms = () => ({
  attackSurface: t`Attack surface`,
  department: t`Department`,
  location: t`Location`,
  name: t`Prefix of the name, case-insensitive`,
  notSeenDays: t`Assets that no source has reported for this number of days`,
  source: t`Name of a source tool`,
  type: t`Asset type`,
});

const findingTerms = () => ({
  acceptedUntilBefore: t`Only accepted findings whose acceptance ends before this time`,
  assetId: t`ID of the asset`,
  assetType: t`Type of the asset`,
  assignee: t`Exact name of the user or team that is responsible: the assignee, also the owner of the asset by the owner rules`,
  cve: t`ID of a CVE`,
  department: t`Department of the asset`,
  dueBefore: t`Due before this time`,
  epssMin: t`Only findings with an SSVC decision and a valid CVE of this EPSS probability or more`,
  failedAfter: t`Became Failed at this time or later, for the first time or again, as far as the history is kept: when the service learned of it, which can be later than it was first seen`,
  firstSeenBefore: t`First seen before this time`,
  firstSeenAfter: t`First seen at this time or later`,
  location: t`Location of the asset`,
  name: t`Substring of the first 600 characters of the name, case-insensitive`,
  title: t`The whole name, or its first 600 characters, case-insensitive`,
  plan: t`Only findings of this remediation plan`,
  reopenedAfter: t`Failed again at this time or later, after having been settled, as far as the history is kept`,
  settledAfter: t`Settled at this time or later, and not failed again since`,
  severityMin: t`Severity of this value or more`,
  source: t`Name of the source tool`,
  tag: t`Tag of the finding`,
  technique: t`ID of an ATT&CK technique`,
  upload: t`ID of an upload: only findings that its events changed`,
});
