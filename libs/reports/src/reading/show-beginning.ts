import { Tokenizer } from '@streamparser/json';
import sax from 'sax';
import { DEPTH_MAX, TokenTrail } from '#libs/readers';
import type { Evidence } from './evidence.ts';
import { JsonCursor } from './json-cursor.ts';
import type { ReportFile } from './report-file.ts';
import { XmlCursor } from './xml-cursor.ts';

/** Passes the first 64 KB of a file to the evidence, up to the first error. */
export function showBeginning({ syntax, head }: ReportFile, evidence: Evidence): void {
  try {
    if (syntax === 'json') showJson(head, evidence);
    else if (syntax === 'xml') showXml(head, evidence);
  } catch {
    // Reading the whole file reports the error.
  }
}

function showJson(head: string, evidence: Evidence): void {
  const tokenizer = new Tokenizer();
  const trail = new TokenTrail();
  const cursor = new JsonCursor(evidence);
  tokenizer.onToken = (token) => {
    cursor.take(trail.take(token), trail.path, token.value);
    if (trail.path.length > DEPTH_MAX) throw new Error('too deep');
  };
  tokenizer.write(head);
}

function showXml(head: string, evidence: Evidence): void {
  const parser = sax.parser(true);
  const cursor = new XmlCursor(evidence);
  parser.onopentag = ({ name, attributes }) => cursor.begin(name, attributes as Record<string, string>);
  parser.onclosetag = () => cursor.end();
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(head);
}
