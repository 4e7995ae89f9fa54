export * from './csv-rows.ts';
