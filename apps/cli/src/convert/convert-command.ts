import { Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { type ConvertOptions, convert } from './convert.ts';
import { FORMATS } from './formats.ts';

const EXAMPLES = `
Every finding of a report becomes part of a signal, or is listed with its reason; the counts add up. Nothing is sent:
posture upload sends the ZIPs. docs/converting.md tells what becomes of what, format by format.

Examples:
  posture convert scan.nessus --out signals.zip          the format is told by the file
  posture convert --from sarif --asset shop-api results.sarif --out signals.zip
                                                         SARIF names no machine: --asset does
  posture convert --replace va monday/*.nessus --out signals.zip
                                                         the ZIPs replace each host's whole va assessment
  posture convert --report left-out.json trivy.json --out signals.zip
                                                         what was not mapped, one by one
  posture convert --list                                 formats`;

/** `posture convert --from FORMAT FILE… --out signals.zip` (api.md "Command line"). */
export function convertCommand(terminal: Terminal): Command {
  return new Command('convert')
    .description('Convert reports of scanners into ZIPs of signals')
    .argument('[file...]', 'reports, of one format or of several')
    .option('--from <format>', 'format of all files; left out: told by the beginning of each')
    .option('--out <file>', 'ZIP to write; several are numbered: signals-001.zip', 'signals.zip')
    .option('--asset <name>', 'asset of findings whose format has no hosts, and of images')
    .option(
      '--asset-matching <name|fqdn>',
      'as the service is set: name, by host name (the default), or fqdn, which keeps FQDNs apart',
    )
    .option('--observed-at <instant>', 'when it was found, where the report does not tell')
    .option('--min-severity <level>', 'list findings below this level, and do not map them')
    .option('--report <file>', 'write every finding that was not mapped, and every note, as JSON')
    .option('--strict', 'fail, and write no ZIP, where a finding was not mapped')
    .addOption(new Option('--split-assets', 'the default without --replace').hideHelp())
    .option('--force', 'write over the ZIPs of an earlier call')
    .option('--config <file>', 'config.json to pack with the signals')
    .option('--replace <types>', 'the ZIPs replace the whole assessment of these types, such as va,ca')
    .option('--allow-empty', 'with --replace: take a report of which no finding is mapped')
    .option('--no-import-assets', 'ignore signals of entities that the service does not know')
    .option('--allow-override', 'a failing signal ends the acceptance of an Accepted Failed finding')
    .option('--no-update-metadata', 'leave the metadata of existing assets as it is')
    .option('--list', 'print the formats')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: ConvertOptions & { list?: boolean }) => {
      if (options.list) return printFormats(options.json ?? false, terminal);
      if (files.length === 0) throw usageError('no report to convert: name a file');
      return convert(files, options, terminal);
    });
}

function printFormats(json: boolean, { stdout }: Terminal): void {
  const formats = FORMATS.map(({ name, aliases, title, unit }) => ({ name, aliases, title, unit }));
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
