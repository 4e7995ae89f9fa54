export * from './attack-techniques.ts';
