/**
 * Whether every field of a form has a value or none. A date of which a part is missing has no value, as an empty one:
 * the browser says what is missing.
 */
export function isInputComplete(form: HTMLFormElement): boolean {
  const incomplete = [...form.elements].find(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.badInput,
  );
  incomplete?.reportValidity();
  return incomplete === undefined;
}
