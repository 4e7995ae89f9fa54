import { t } from '@lingui/core/macro';

const PIXELS = 220;

/**
 * Draws the QR code of the service as an element of the page: the policy of the page permits no image whose source is
 * text. Only the path and its size are used.
 */
export function QrCode({ svg }: { svg: string }) {
  const image = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return (
    <svg
      role="img"
      aria-label={t`QR code of the secret`}
      viewBox={image.getAttribute('viewBox') ?? undefined}
      width={PIXELS}
      height={PIXELS}
      style={{ background: 'white', alignSelf: 'center' }}
    >
      <path d={image.querySelector('path')?.getAttribute('d') ?? undefined} fill="black" />
    </svg>
  );
}
