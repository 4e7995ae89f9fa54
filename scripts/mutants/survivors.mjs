import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Appends each surviving mutant to a file as soon as it is known, with the line that it changes. */
export class Survivors {
  static inject = ['options'];
  #file;

  constructor({ mutants: { survivors } }) {
    this.#file = survivors;
  }

  onMutationTestingPlanReady() {
    writeFileSync(this.#file, '');
  }

  onMutantTested(mutant) {
    if (['Survived', 'NoCoverage'].includes(mutant.status))
      appendFileSync(this.#file, `${shown(mutant)}\n\n`);
  }
}

function shown({ fileName, location: { start, end }, mutatorName, replacement, status }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const [first] = lines;
  const isLong = lines.length > 1;
  const changed = isLong
    ? `${first.slice(start.column - 1)} …`
    : first.slice(start.column - 1, end.column - 1);
  const line = `${first.slice(0, start.column - 1)}«${changed}»${lines.at(-1).slice(end.column - 1)}`;
  const note = status === 'NoCoverage' ? ', run by no test' : '';
  return `${relative('.', fileName)}:${start.line}:${start.column} ${mutatorName}${note}\n  ${line.trim()}\n  → ${replacement}`;
}
