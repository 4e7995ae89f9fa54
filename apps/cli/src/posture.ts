import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { projectFile } from '#libs/project-files';
import { apiTokensCommand } from './access/api-tokens-command.ts';
import { credentialsCommand } from './access/credentials-command.ts';
import { archiveCommand } from './archive/archive-command.ts';
import { asOfCommand } from './as-of/as-of-command.ts';
import { backtestCommand } from './backtest/backtest-command.ts';
import { backupCommand } from './backup/backup-command.ts';
import { restoreCommand } from './backup/restore-command.ts';
import { catalogueCommand } from './catalogue/catalogue-command.ts';
import { checkpointCommand } from './checkpoint/checkpoint-command.ts';
import { CliError, EXIT, type ExitCode } from './cli-error.ts';
import { clockCommand } from './clock/clock-command.ts';
import { convertCommand } from './convert/convert-command.ts';
import { demoCommand } from './demo/demo.ts';
import { eraseCommand } from './erase/erase-command.ts';
import { explainCommand } from './explain/explain-command.ts';
import { keysCommand } from './keys/keys-command.ts';
import { exportLogCommand } from './log/export-command.ts';
import { importLogCommand } from './log/import-command.ts';
import { logCommand } from './log/log-command.ts';
import { migrateCommand } from './migrate/migrate-command.ts';
import { repartitionCommand } from './repartition/repartition-command.ts';
import { replayCommand } from './replay/replay.ts';
import { reportCommand } from './report/report-command.ts';
import { retainCommand } from './retain/retain-command.ts';
import { sealLogCommand } from './seal-log/seal-log-command.ts';
import type { Terminal } from './terminal.ts';
import { uploadCommand } from './upload/upload.ts';
import { verifyCommand } from './verify/verify.ts';

const ENVIRONMENT = `
Environment:
  POSTURE_URL       address of the service (http://127.0.0.1:8080)
  POSTURE_USERNAME  API user and password. If both are unset and the service runs on this machine, the command uses
  POSTURE_PASSWORD  the credentials of the first start (DATA_DIR/initial-credentials)
  POSTURE_TOKEN     API token, instead of user name and password
  DATA_DIR          data directory of the service (./.data)
  DATABASE_URL      database of the service, for commands that read the log or the tables. If unset, the command
                    uses the service that runs on DATA_DIR. If the log is on Kafka, set KAFKA_BROKERS too
  ..._FILE          a file with the value of a secret variable, such as POSTURE_TOKEN_FILE or DATABASE_PASSWORD_FILE
  LOG_ARCHIVE       directory of the segments that \`posture archive\` writes (DATA_DIR/archive)

Exit codes: 0 success; 1 the service rejected the request or is unreachable, a comparison found a difference, or the
requested item does not exist (verify, report --check, convert --strict, as-of --asset); 2 the command line or a local
file is invalid.`;

/**
 * Runs one command line and returns its exit code. Only the requested output goes to stdout; with `--json` that is one
 * JSON document, including errors.
 */
export async function runPosture(args: string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await buildProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Its resources are being released.
    if (terminal.interrupted?.aborted) return EXIT.failed;
    return report(error, args.includes('--json'), terminal);
  }
}

function buildProgram(terminal: Terminal): Command {
  const program = new Command('posture')
    .description('Command line of the Risk Posture Service')
    .version(`posture ${projectVersion()}`, '--version', 'print the version')
    .addHelpText('after', ENVIRONMENT);
  for (const command of [
    uploadCommand(terminal),
    convertCommand(terminal),
    demoCommand(terminal),
    credentialsCommand(terminal),
    apiTokensCommand(terminal),
    catalogueCommand(terminal),
    clockCommand(terminal),
    explainCommand(terminal),
    eraseCommand(terminal),
    retainCommand(terminal),
    keysCommand(terminal),
    verifyCommand(terminal),
    replayCommand(terminal),
    checkpointCommand(terminal),
    archiveCommand(terminal),
    backupCommand(terminal),
    restoreCommand(terminal),
    repartitionCommand(terminal),
    sealLogCommand(terminal),
    migrateCommand(terminal),
    logCommand(terminal),
    exportLogCommand(terminal),
    importLogCommand(terminal),
    asOfCommand(terminal),
    reportCommand(terminal),
    backtestCommand(terminal),
  ])
    program.addCommand(command);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError('(see --help)')
      .configureOutput({
        writeOut: (text) => terminal.stdout.write(text),
        writeErr: (text) => terminal.stderr.write(text),
      });
  }
  return program;
}

const projectVersion = (): string => JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version;

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

function report(error: unknown, json: boolean, { stdout, stderr }: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // Commander has written its text to stderr.
    if (json) stdout.write(documentOf(error.message.replace(/^error: /, '')));
    return EXIT.usage;
  }
  if (!(error instanceof CliError)) {
    if (json) stdout.write(documentOf((error as Error).message));
    throw error;
  }
  if (json) stdout.write(documentOf(error.message, error.details));
  else {
    stderr.write([`posture: ${error.message}`, ...error.details.map((line) => `  ${line}`), ''].join('\n'));
  }
  return error.exitCode;
}

const documentOf = (message: string, details: string[] = []): string =>
  `${JSON.stringify({ ok: false, message, details })}\n`;
