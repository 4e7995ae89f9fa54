/** Invisible characters that reverse text: `ann` U+202E `gnp.exe` looks like a picture (UAX #9). */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Routes whose texts are displayed, and not edited. If one is sent back, such as in a filter, `hideControls` restores it. */
const SHOWN_ROUTES =
  /^(\/api\/v3\/(findings|assets|scores|loss|uploads|audit|sessions|notifications(?!\/preferences))|\/integrations\/[^/]+\/(findings|assets))\b/;

/** Whether direction controls in answers of the route are made visible. */
export const isShownRoute = (pathname: string): boolean => SHOWN_ROUTES.test(pathname);

/** Makes direction controls visible: `ann⟨U+202E⟩gnp.exe`. Hebrew and Arabic text does not need them. */
export const showControls = (text: string): string =>
  text.replace(
    CONTROLS,
    (control) => `⟨U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/** As `showControls` writes one, in an encoded address. */
const SHOWN = /%E2%9F%A8U(?:%2B|\+)([0-9A-F]{4})%E2%9F%A9/gi;

/** An address with the direction controls that its values had before they were shown: a name can become a filter. */
export const hideControls = (url: string): string =>
  url.replace(SHOWN, (shown, code: string) => {
    const control = controlOf(code);
    return control === undefined ? shown : encodeURIComponent(control);
  });

/** As `showControls` writes one. */
const SHOWN_IN_BODY = /⟨U\+([0-9A-F]{4})⟩/g;

/** A body with the direction controls that its values had: a name can become a filter of an act on many findings. */
export const hideControlsIn = (body: string): string =>
  body.replace(SHOWN_IN_BODY, (shown, code: string) => controlOf(code) ?? shown);

/** Undefined if the code is not that of a direction control. */
function controlOf(code: string): string | undefined {
  const control = String.fromCharCode(Number.parseInt(code, 16));
  return control === showControls(control) ? undefined : control;
}
