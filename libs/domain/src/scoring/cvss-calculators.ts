import calculators from 'ae-cvss-calculator';

// The package is CommonJS: Node's ESM loader sees only its default export.
export const { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } = calculators;
