import { uuidV5 } from '#libs/domain';

const signalId = uuidV5('7d3c1c1e-1a45-4b62-8a7e-2a6f0c9a5b10');

/** A signal's id, made of its content: for tracing only, and the same if a page is mapped again. */
export const pulledSignalId = (source: string, ...parts: string[]): string =>
  signalId([source, ...parts].join('\n'));
