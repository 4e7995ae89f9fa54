/** Invisible characters that reverse text: `ann` U+202E `gnp.exe` looks like a picture (UAX #9). */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes direction controls visible: `ann⟨U+202E⟩gnp.exe`. Hebrew and Arabic text does not need them. */
export const showControls = (text: string): string =>
  text.replace(
    CONTROLS,
    (control) => `⟨U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
