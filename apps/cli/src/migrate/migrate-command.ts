import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Every program migrates by itself when it starts, where its user may. Where programs have roles of their own, which may
not, the owner of the tables runs this before a new version starts, and says by --roles what each may do then.

Examples:
  DATABASE_URL=postgres://owner@db/posture posture migrate
  DATABASE_URL=postgres://owner@db/posture posture migrate --roles deploy/postgres/roles.sql`;

/** `posture migrate`. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description('Bring the tables to this version, and open the log where that is new')
    .option('--roles <file>', 'then run this SQL, which says what the role of each program may do')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { roles?: string }) => {
      // Uploads start without the adapters of the log.
      const { migrateSite } = await import('./migrate-site.ts');
      await migrateSite(options, terminal);
    });
}
