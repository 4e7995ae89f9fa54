import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { ImportOptions } from './import-options.ts';

const EXAMPLES = `
What the publishers say of CVEs, from files as they publish them; packed ones are read as they are:
  cve    states of CVEs: CVE JSON 5 records, the cvelistV5 archive unpacked or not, NVD JSON 2.0 feeds. Files may
         be parts: they add and change, and never remove. The import that came last wins, whoever published it
  epss   FIRST's forecasts, epss_scores-YYYY-MM-DD.csv.gz: a whole list, what is missing in it is known no more
  kev    CISA's Known Exploited Vulnerabilities, .json or .csv: a whole list
Rows are in force from the import on, all at once; scores as of an earlier instant stay what they were. An import that
was interrupted goes on where it was when it is called again. Nothing is fetched unless --url names it; EGRESS_PROXY
is the proxy for that.

Examples:
  posture catalogue import epss epss_scores-2026-05-31.csv.gz
  posture catalogue import cve cvelistV5-main.zip
  posture catalogue import cve nvdcve-2.0-2025.json.gz nvdcve-2.0-2026.json.gz
  posture catalogue import kev --url https://publisher.example/known_exploited_vulnerabilities.json
  posture catalogue status --json`;

/** `posture catalogue import|status` (D24). */
export function catalogueCommand(terminal: Terminal): Command {
  const command = new Command('catalogue')
    .description('What publishers say of CVEs: import it, and see what is in force')
    .addHelpText('after', EXAMPLES);
  command
    .command('import')
    .description('Import CVE states, EPSS forecasts or the KEV list, and score again what that touches')
    .addArgument(new Argument('<catalogue>', 'which one').choices(['cve', 'epss', 'kev']))
    .argument('[paths...]', 'files or directories, read one after the other')
    .option('--url <address>', 'fetch the file from there first, over HTTP or HTTPS')
    .option(
      '--force',
      'import an EPSS or KEV list also where it has less than 90 % of the CVEs that are in force',
    )
    .option('--json', 'print one JSON document and nothing else')
    .action(async (catalogue: 'cve' | 'epss' | 'kev', paths: string[], options: ImportOptions) => {
      // Uploads start without the adapters of the log.
      const { importFiles } = await import('./import-files.ts');
      await importFiles(catalogue, paths, options, terminal);
    });
  command
    .command('status')
    .description('What is in force, and from which import; imports that were interrupted')
    .option('--json', 'print one JSON document and nothing else')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { showStatus } = await import('./show-status.ts');
      await showStatus(json, terminal);
    });
  return command;
}
