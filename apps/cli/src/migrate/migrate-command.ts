import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Each program migrates the tables when it starts, if its database role is allowed to. If programs use their own database
roles without that right, run this command as the owner of the tables before you start a new version. Use --roles to
grant each role its rights.

Examples:
  DATABASE_URL=postgres://owner@db/posture posture migrate
  DATABASE_URL=postgres://owner@db/posture posture migrate --roles deploy/postgres/roles.sql`;

/** `posture migrate`. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description('Migrate the tables to this version, and create the log if it does not exist')
    .option('--roles <file>', 'SQL file to run afterwards, which grants the rights of each program role')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { roles?: string }) => {
      // Uploads start without the adapters of the log.
      const { migrateSite } = await import('./migrate-site.ts');
      await migrateSite(options, terminal);
    });
}
