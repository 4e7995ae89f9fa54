import { Command, CommanderError } from 'commander';
import { archiveCommand } from './archive/archive-command.ts';
import { asOfCommand } from './as-of/as-of-command.ts';
import { backupCommand } from './backup/backup-command.ts';
import { restoreCommand } from './backup/restore-command.ts';
import { catalogueCommand } from './catalogue/catalogue-command.ts';
import { checkpointCommand } from './checkpoint/checkpoint-command.ts';
import { CliError, EXIT, type ExitCode } from './cli-error.ts';
import { clockCommand } from './clock/clock-command.ts';
import { convertCommand } from './convert/convert-command.ts';
import { credentialsCommand } from './credentials/credentials-command.ts';
import { demoCommand } from './demo/demo.ts';
import { explainCommand } from './explain/explain-command.ts';
import { exportLogCommand } from './log/export-command.ts';
import { importLogCommand } from './log/import-command.ts';
import { logCommand } from './log/log-command.ts';
import { migrateCommand } from './migrate/migrate-command.ts';
import { replayCommand } from './replay/replay.ts';
import { reportCommand } from './report/report-command.ts';
import type { Terminal } from './terminal.ts';
import { uploadCommand } from './upload/upload.ts';
import { verifyCommand } from './verify/verify.ts';

const ENVIRONMENT = `
Environment:
  POSTURE_URL       address of the service (http://127.0.0.1:8080)
  POSTURE_USERNAME  API user; with POSTURE_PASSWORD. Where both are unset and the service is on this
  POSTURE_PASSWORD  machine, the credentials of its first start are used (DATA_DIR/initial-credentials)
  DATA_DIR          where the service keeps its data (./.data)
  DATABASE_URL      database of the service, for commands on the log and the tables; unset: of the service
                    that runs on DATA_DIR now. KAFKA_BROKERS names its log where that is on Kafka
  LOG_ARCHIVE       segments that \`posture archive\` has moved out of the log (DATA_DIR/archive)

Exit codes: 0 done; 1 the service refused or is out of reach, or what was compared or asked for is not so (verify,
report --check, convert --strict, as-of --asset); 2 the call or a local file is wrong.`;

/**
 * Runs one command line and answers its exit code. Nothing but what the user asked for goes to stdout; with `--json`
 * that is one JSON document, errors included.
 */
export async function runPosture(args: string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await buildProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // What it works on is being taken away.
    if (terminal.interrupted?.aborted) return EXIT.failed;
    return report(error, args.includes('--json'), terminal);
  }
}

function buildProgram(terminal: Terminal): Command {
  const program = new Command('posture')
    .description('The command line of the Risk Posture Service')
    .addHelpText('after', ENVIRONMENT);
  for (const command of [
    uploadCommand(terminal),
    convertCommand(terminal),
    demoCommand(terminal),
    credentialsCommand(terminal),
    catalogueCommand(terminal),
    clockCommand(terminal),
    explainCommand(terminal),
    verifyCommand(terminal),
    replayCommand(terminal),
    checkpointCommand(terminal),
    archiveCommand(terminal),
    backupCommand(terminal),
    restoreCommand(terminal),
    migrateCommand(terminal),
    logCommand(terminal),
    exportLogCommand(terminal),
    importLogCommand(terminal),
    asOfCommand(terminal),
    reportCommand(terminal),
  ])
    program.addCommand(command);
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError('(--help tells more)')
      .configureOutput({
        writeOut: (text) => terminal.stdout.write(text),
        writeErr: (text) => terminal.stderr.write(text),
      });
  }
  return program;
}

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

function report(error: unknown, json: boolean, { stdout, stderr }: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof CliError)) throw error;
  if (json) {
    stdout.write(`${JSON.stringify({ ok: false, message: error.message, details: error.details })}\n`);
  } else {
    stderr.write([`posture: ${error.message}`, ...error.details.map((line) => `  ${line}`), ''].join('\n'));
  }
  return error.exitCode;
}
