import { counter } from './registry.ts';

export const databaseReads = counter({
  name: 'posture_database_reads_total',
  help: 'Statements of lists, counts, exports and states as of an instant by the server that answered, if there is a read replica',
  labels: ['server'],
});
for (const server of ['replica', 'primary'] as const) databaseReads.inc({ server }, 0);
