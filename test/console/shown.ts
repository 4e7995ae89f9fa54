const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** A number as English pages show it: 79.95 is 80.0, where `toFixed` has 79.9, the binary number being less. */
export const oneDecimal = (value: number): string => value.toLocaleString('en', ONE_DECIMAL);
