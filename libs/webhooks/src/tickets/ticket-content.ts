import { line, lines } from './plain-text.ts';
import type { TicketFinding } from './ticket-finding.ts';

/** The content of a ticket, in plain texts of limited length: each system writes them in its own form. */
export interface TicketContent {
  title: string;
  /** In the order to show them. */
  facts: { label: string; value: string }[];
  /** With line breaks. */
  texts: { label: string; value: string }[];
  /** Of the finding in the console; null: the service has no public address. */
  url: string | null;
}

const NAME_CHARACTERS_MAX = 160;
const ASSET_CHARACTERS_MAX = 80;
const FACT_CHARACTERS_MAX = 300;
const TEXT_CHARACTERS_MAX = 1_500;
const CVES_MAX = 10;

/** @param publicUrl the origin of the service; null: tickets have no link to it */
export function ticketContent(finding: TicketFinding, publicUrl: string | null): TicketContent {
  const { name, assetName, severity, state, type, decision, department, location, cves } = finding;
  const facts = [
    ['Finding', name],
    ['Asset', assetName],
    ['State', STATE_NAMES[state]],
    ['Severity', severity.level === null ? `${severity.value}` : `${severity.value} (${severity.level})`],
    ['Type', type],
    ['SSVC decision', decision],
    ['CVEs', cves.length > CVES_MAX ? `${cves.slice(0, CVES_MAX).join(', ')}, …` : cves.join(', ')],
    ['Department', department],
    ['Location', location],
  ] as const;
  return {
    title: `${line(name, NAME_CHARACTERS_MAX)} on ${line(assetName, ASSET_CHARACTERS_MAX)}`,
    facts: facts.flatMap(([label, value]) =>
      value ? [{ label, value: line(value, FACT_CHARACTERS_MAX) }] : [],
    ),
    texts: [
      { label: 'Description', value: lines(finding.description ?? '', TEXT_CHARACTERS_MAX) },
      { label: 'Remediation', value: lines(finding.remediation ?? '', TEXT_CHARACTERS_MAX) },
    ].filter(({ value }) => value !== ''),
    url: publicUrl && `${publicUrl}/app/findings/${finding.id}`,
  };
}

const STATE_NAMES: Record<TicketFinding['state'], string> = {
  Failed: 'Failed',
  Qualified: 'Qualified',
  AcceptedFailed: 'Accepted Failed',
  NotAssessed: 'Not Assessed',
  Retired: 'Retired',
};

/** Why a finding has no open ticket any more, as one word. */
export const endOf = (finding: Pick<TicketFinding, 'state'> | null): string =>
  finding === null ? 'Removed' : finding.state === 'Qualified' ? 'Fixed' : STATE_NAMES[finding.state];
