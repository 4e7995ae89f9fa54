import { printParseErrorCode, visit } from 'jsonc-parser';

/** Where JSON breaks, from 1, and why in words that never quote the content. */
export interface JsonError {
  message: string;
  line: number;
  column: number;
}

const REASONS: Record<string, string> = {
  InvalidSymbol: 'this is no JSON value: text needs double quotes',
  InvalidNumberFormat: 'this is no JSON number',
  PropertyNameExpected: 'a property name in double quotes is missing, or a comma is too many',
  ValueExpected: 'a value is missing, or a comma is too many',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'something follows after the end of the JSON value',
  InvalidCommentToken: 'comments are not JSON',
  UnexpectedEndOfComment: 'comments are not JSON',
  UnexpectedEndOfString: 'a closing double quote is missing',
  UnexpectedEndOfNumber: 'this is no JSON number',
  InvalidUnicode: 'a \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this escape is not known in JSON',
  InvalidCharacter: 'a control character in a text must be escaped',
};

const SINGLE_QUOTES = 'single quotes are not JSON: use double quotes';

/** Ends the walk at the first error, so that a long broken text costs no more than a short one. */
class FirstError extends Error {
  constructor(readonly at: JsonError) {
    super(at.message);
  }
}

/** The first error of a text that `JSON.parse` refused (spec §Errors). */
export function locateJsonError(text: string): JsonError {
  try {
    visit(
      text,
      {
        onError: (code, offset, _length, line, character) => {
          const reason =
            text[offset] === "'" ? SINGLE_QUOTES : (REASONS[printParseErrorCode(code)] ?? 'this is not JSON');
          throw new FirstError({ message: reason, line: line + 1, column: character + 1 });
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error instanceof FirstError) return error.at;
    throw error;
  }
  return { message: 'this is not JSON', line: 1, column: 1 };
}
