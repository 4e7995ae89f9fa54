export * from './clock-guard.ts';
export { lengthInWords, timeInWords } from './clock-words.ts';
export * from './confirm-clock.ts';
export * from './read-clocks.ts';
export * from './trusted-clock.ts';
