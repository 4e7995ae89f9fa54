import { printParseErrorCode, visit } from 'jsonc-parser';

/** Line and column of a JSON error, from 1, and its reason, which never quotes the content. */
export interface JsonError {
  message: string;
  line: number;
  column: number;
}

const REASONS: Record<string, string> = {
  InvalidSymbol: 'not a JSON value: put strings in double quotes',
  InvalidNumberFormat: 'not a JSON number',
  PropertyNameExpected: 'expected a property name in double quotes, or remove the extra comma',
  ValueExpected: 'expected a value, or remove the extra comma',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace }',
  CloseBracketExpected: 'expected a closing bracket ]',
  EndOfFileExpected: 'unexpected text after the end of the JSON value',
  InvalidCommentToken: 'comments are not allowed in JSON',
  UnexpectedEndOfComment: 'comments are not allowed in JSON',
  UnexpectedEndOfString: 'expected a closing double quote',
  UnexpectedEndOfNumber: 'not a JSON number',
  InvalidUnicode: 'a \\u escape requires four hexadecimal digits',
  InvalidEscapeCharacter: 'unknown JSON escape sequence',
  InvalidCharacter: 'control characters in a string must be escaped',
};

const SINGLE_QUOTES = 'single quotes are not allowed in JSON: use double quotes';

/** Ends the walk at the first error, so that a long broken text costs no more than a short one. */
class FirstError extends Error {
  constructor(readonly at: JsonError) {
    super(at.message);
  }
}

/** The first error of a text that `JSON.parse` rejected. */
export function locateJsonError(text: string): JsonError {
  try {
    visit(
      text,
      {
        onError: (code, offset, _length, line, character) => {
          const reason =
            text[offset] === "'" ? SINGLE_QUOTES : (REASONS[printParseErrorCode(code)] ?? 'not valid JSON');
          throw new FirstError({ message: reason, line: line + 1, column: character + 1 });
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (error instanceof FirstError) return error.at;
    throw error;
  }
  return { message: 'not valid JSON', line: 1, column: 1 };
}
