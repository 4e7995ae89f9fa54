import { Command, Option } from 'commander';
import { knownFormats, readMapFolder } from '#libs/reports';
import { CliError, usageError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { type ConvertOptions, convert, explain } from './convert.ts';
import { readMapOr } from './read-map-or.ts';

const EXAMPLES = `
Each finding of a report is either mapped to a signal or listed with the reason why not; the counts add up. The command
sends nothing: send the ZIPs with posture upload. docs/converting.md describes the mapping of each format.

Examples:
  posture convert scan.nessus --out signals.zip          the format is detected from the file
  posture convert --from sarif --asset shop-api results.sarif --out signals.zip
                                                         SARIF does not name a machine: set --asset
  posture convert --replace va monday/*.nessus --out signals.zip
                                                         the ZIPs replace each host's whole va assessment
  posture convert --report left-out.json trivy.json --out signals.zip
                                                         lists each finding that was not mapped
  posture convert --map my-tool.json scan.json --out signals.zip
                                                         reads a format that you described (docs/report-maps.md)
  posture convert --explain scan.json                    shows which field becomes what
  posture convert --list                                 lists the formats

Environment:
  POSTURE_MAPS                                           folder of your own maps, *.json: they are detected as well`;

/** The maps of `POSTURE_MAPS` for `--help`; a wrong one must not prevent it. */
function ownMaps(folder: string | undefined): string {
  if (!folder) return '';
  try {
    const maps = readMapOr(() => knownFormats(folder) && readMapFolder(folder));
    const lines = maps.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`);
    return `\n\nMaps in ${folder}:\n${lines.join('\n') || '  none'}`;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return `\n\nMaps in ${folder}: ${error.message}`;
  }
}

/** `posture convert --from FORMAT FILE… --out signals.zip`. */
export function convertCommand(terminal: Terminal): Command {
  return new Command('convert')
    .description('Convert reports of scanners into ZIPs of signals')
    .argument('[file...]', 'reports, in one or several formats')
    .option('--from <format>', 'format of all files; default: detected from the beginning of each file')
    .option('--map <file>', 'map that describes the format of all files')
    .option(
      '--explain',
      'show for the first findings which field becomes what, and what is not read; writes no file',
    )
    .option(
      '--out <file>',
      'ZIP to write; if there are several, they are numbered: signals-001.zip',
      'signals.zip',
    )
    .option('--asset <name>', 'asset name for findings of formats without hosts, and for images')
    .option(
      '--asset-matching <name|fqdn>',
      'same value as in the service: name (by host name, the default) or fqdn (FQDNs are separate assets)',
    )
    .option('--observed-at <instant>', 'time of the findings, if the report does not contain one')
    .option('--min-severity <level>', 'do not map findings below this level, only list them')
    .option('--report <file>', 'write every finding that was not mapped, and every note, as JSON')
    .option('--strict', 'fail and write no ZIP if a finding is not mapped')
    .addOption(new Option('--split-assets', 'the default without --replace').hideHelp())
    .option('--force', 'overwrite the ZIPs of an earlier run')
    .option('--config <file>', 'config.json to pack with the signals')
    .option('--replace <types>', 'replace the whole assessment of these types, such as va,ca')
    .option('--allow-empty', 'with --replace: accept a report without mapped findings')
    .option('--no-import-assets', 'ignore signals of entities that the service does not know')
    .option('--allow-override', 'a failing signal ends the acceptance of an Accepted Failed finding')
    .option('--no-update-metadata', 'do not change the metadata of existing assets')
    .option('--list', 'print the formats')
    .option('--json', 'print one JSON document only')
    .addHelpText('after', () => `${EXAMPLES}${ownMaps(terminal.env.POSTURE_MAPS)}`)
    .action((files: string[], options: ConvertOptions & { list?: boolean; explain?: boolean }) => {
      if (options.list) return printFormats(options.json ?? false, terminal);
      if (files.length === 0) throw usageError('no report to convert: name at least one file');
      return options.explain ? explain(files, options, terminal) : convert(files, options, terminal);
    });
}

function printFormats(json: boolean, { stdout, env }: Terminal): void {
  const known = readMapOr(() => knownFormats(env.POSTURE_MAPS));
  const formats = known.map(({ name, aliases, title, unit }) => ({ name, aliases, title, unit }));
  const width = Math.max(...formats.map(({ name }) => name.length));
  stdout.write(
    json
      ? `${JSON.stringify({ ok: true, formats })}\n`
      : formats
          .map(
            ({ name, title, unit }) =>
              `${name.padEnd(width)}  ${title}\n${' '.repeat(width)}  one finding: ${unit}\n`,
          )
          .join(''),
  );
}
