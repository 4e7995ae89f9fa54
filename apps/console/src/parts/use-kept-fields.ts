import { type RefCallback, useCallback } from 'react';
import { draftOf, keepDraft } from './drafts.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Kept = Record<string, string | boolean>;

/** Of inputs; passwords, codes and files are not kept. */
const TYPES: ReadonlySet<string> = new Set([
  ...['text', 'url', 'email', 'number', 'date', 'datetime-local', 'time', 'checkbox', 'radio'],
  ...['textarea', 'select-one'],
]);

/**
 * For a form whose fields have names and are read when it is submitted: they survive a reload, and are kept in this tab until
 * the form is closed.
 * @param draft names them
 * @returns the `ref` of the form
 */
export const useKeptFields = (draft: string): RefCallback<HTMLFormElement> =>
  useCallback(
    (form: HTMLFormElement) => {
      const kept = JSON.parse(draftOf(draft) || '{}') as Kept;
      // A field can appear after another is restored, and the user can change it again.
      const left = new Set(Object.keys(kept));
      const restore = () => {
        for (const field of fieldsOf(form)) {
          if (left.delete(keyOf(field))) setField(field, kept[keyOf(field)]!);
        }
      };
      const keep = () => {
        const fields = fieldsOf(form).map((field) => [keyOf(field), valueIn(field)]);
        keepDraft(draft, JSON.stringify({ ...kept, ...Object.fromEntries(fields) }));
      };
      // React must have shown the form: a field that it controls changes with its event.
      const later = setTimeout(restore);
      const appearing = new MutationObserver(restore);
      appearing.observe(form, { childList: true, subtree: true });
      form.addEventListener('input', keep);
      form.addEventListener('change', keep);
      // Not run by a reload.
      return () => {
        clearTimeout(later);
        appearing.disconnect();
        form.removeEventListener('input', keep);
        form.removeEventListener('change', keep);
        keepDraft(draft, '');
      };
    },
    [draft],
  );

const fieldsOf = (form: HTMLFormElement): Field[] =>
  [...form.elements].filter((one): one is Field => {
    const { name, type } = one as Field;
    return name !== undefined && name !== '' && TYPES.has(type);
  });

const isChecked = (field: Field): field is HTMLInputElement =>
  field.type === 'checkbox' || field.type === 'radio';

/** Several boxes have one name. */
const keyOf = (field: Field): string => (isChecked(field) ? `${field.name}=${field.value}` : field.name);

const valueIn = (field: Field): string | boolean => (isChecked(field) ? field.checked : field.value);

/** As a user would, so that React notices. */
function setField(field: Field, value: string | boolean): void {
  if (valueIn(field) === value) return;
  // Another radio button of the group is chosen instead.
  if (isChecked(field)) {
    if (field.type === 'checkbox' || value === true) field.click();
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value);
  const event = field instanceof HTMLSelectElement ? 'change' : 'input';
  field.dispatchEvent(new Event(event, { bubbles: true }));
}
