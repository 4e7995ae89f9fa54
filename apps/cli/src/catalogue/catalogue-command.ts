import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { ImportOptions } from './import-options.ts';
import { parseEffectiveFrom } from './parse-effective-from.ts';

const EXAMPLES = `
Imports data about CVEs and techniques from files as their publishers provide them, compressed or not:
  attack ATT&CK techniques with tactics and mitigations: STIX 2 bundles of MITRE, of any matrix (enterprise, mobile,
         ICS). A bundle adds and changes techniques and never removes any
  ctid   Techniques by which CVEs are exploited: JSON or CSV of CTID's Mappings Explorer, for KEV or CVE. The files of
         one command form a complete list that replaces the previous one
  cve    CVE states: CVE JSON 5 records, one, one a line or an array, the cvelistV5 archive (packed or unpacked), NVD
         JSON 2.0 feeds. A file can be partial: it adds and changes rows and never removes any. The last import wins,
         regardless of the publisher
  epss   EPSS forecasts of FIRST, epss_scores-YYYY-MM-DD.csv.gz: a complete list that replaces the previous one
  kev    Known Exploited Vulnerabilities of CISA, .json or .csv: a complete list that replaces the previous one
All rows of an import take effect at once. Scores as of an earlier instant do not change, unless --effective-from names
one. To resume an interrupted import, run the same command again. The command downloads only the file of --url;
EGRESS_PROXY sets the proxy.

Examples:
  posture catalogue import epss epss_scores-2026-05-31.csv.gz
  posture catalogue import cve cvelistV5-main.zip
  posture catalogue import cve nvdcve-2.0-2025.json.gz nvdcve-2.0-2026.json.gz
  posture catalogue import kev --url https://publisher.example/known_exploited_vulnerabilities.json
  posture catalogue import attack enterprise-attack.json mobile-attack.json ics-attack.json
  posture catalogue import epss epss_scores-2025-05-31.csv.gz --effective-from 2025-05-31
  posture catalogue status --json`;

const KINDS = ['attack', 'ctid', 'cve', 'epss', 'kev'] as const;

/** `posture catalogue import|status`. */
export function catalogueCommand(terminal: Terminal): Command {
  const command = new Command('catalogue')
    .description('Import catalogues of CVEs and techniques, and show their status')
    .addHelpText('after', EXAMPLES);
  command
    .command('import')
    .description('Import a catalogue of CVEs or techniques, and recompute the affected scores')
    .addArgument(new Argument('<catalogue>', 'catalogue to import').choices(KINDS))
    .argument('[paths...]', 'files or directories, read in this order')
    .option('--url <address>', 'download the file from this HTTP or HTTPS address')
    .option('--force', 'import a complete list even if it has less than 90 % of the CVEs in force')
    .option(
      '--effective-from <date>',
      'count from this past day (UTC) or ISO 8601 time on, until the next import of the catalogue',
      parseEffectiveFrom,
    )
    .option('--json', 'print one JSON document only')
    .action(async (catalogue: (typeof KINDS)[number], paths: string[], options: ImportOptions) => {
      // Uploads start without the adapters of the log.
      const { importFiles } = await import('./import-files.ts');
      await importFiles(catalogue, paths, options, terminal);
    });
  command
    .command('status')
    .description('Show the catalogues in force, their last imports, and interrupted imports')
    .option('--json', 'print one JSON document only')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { showStatus } = await import('./show-status.ts');
      await showStatus(json, terminal);
    });
  return command;
}
