import type { Form, MarkedForm } from './form.ts';
import type { Format } from './format.ts';
import { delimiterOf } from './reading/csv-header.ts';
import { Evidence } from './reading/evidence.ts';
import { jsonElements } from './reading/json-elements.ts';
import type { ReportFile } from './reading/report-file.ts';
import { showBeginning } from './reading/show-beginning.ts';
import { UnreadableReport } from './reading/unreadable-report.ts';
import { xmlEvents } from './reading/xml-events.ts';

/** The formats whose files begin like this one. */
export function formatsOf(file: ReportFile, formats: Format[]): Format[] {
  const evidence = new Evidence(formats.flatMap(({ forms }) => markedForms(forms, file)));
  showBeginning(file, evidence);
  return formats.filter(({ forms }) =>
    forms.some((form) =>
      form.syntax === 'text'
        ? file.syntax === 'text' && delimiterOf(file.head, form.isHeader) !== null
        : file.syntax === form.syntax && evidence.begins(form),
    ),
  );
}

/** Whether a file begins as one of a form, if a format has several forms. */
export function beginsAs(file: ReportFile, form: MarkedForm): boolean {
  const evidence = new Evidence([form]);
  showBeginning(file, evidence);
  return evidence.begins(form);
}

/** The form that a file has as a whole, if its beginning shows none. */
export async function formOfWhole(file: ReportFile, forms: Form[]): Promise<Form | undefined> {
  const marked = markedForms(forms, file);
  if (marked.length === 0) return undefined;
  const evidence = new Evidence(marked);
  const watched = { ...file, evidence };
  const parts =
    file.syntax === 'xml'
      ? xmlEvents(watched, { elements: [], marks: [] })
      : jsonElements(watched, [], undefined, { separator: '' });
  while (!(await parts.next()).done);
  return marked.find((form) => evidence.has(form));
}

/**
 * The file with the evidence that its reading has to show.
 * @throws UnreadableReport if the format has no file of this syntax
 */
export function expecting(file: ReportFile, { forms, noun }: Format): ReportFile {
  if (!forms.some(({ syntax }) => syntax === file.syntax))
    throw new UnreadableReport(file.name, null, `is not ${noun}: it is ${SYNTAXES[file.syntax]}`);
  return { ...file, evidence: new Evidence(markedForms(forms, file)) };
}

/** @throws UnreadableReport if a file that was read to its end is not of the format */
export function assertIs({ noun }: Format, { name, evidence }: ReportFile): void {
  const problem = evidence?.problem() ?? null;
  if (problem !== null) throw new UnreadableReport(name, null, `is not ${noun}: ${problem}`);
}

const SYNTAXES: Record<ReportFile['syntax'], string> = {
  xml: 'XML',
  json: 'JSON',
  text: 'neither XML nor JSON',
};

const markedForms = (forms: Form[], { syntax }: ReportFile): MarkedForm[] =>
  forms.filter((form): form is MarkedForm => form.syntax !== 'text' && form.syntax === syntax);
