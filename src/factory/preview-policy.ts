/**
 * The policy of previews: an app of a stranger may run its script and save files, and nothing else: no network, no
 * storage, no access to pages or cookies of this server, no way to lead its visitor elsewhere by a form.
 *
 * Without `allow-forms` the handlers of forms would not even be called; `form-action 'none'` keeps them from sending
 * anything. Without `allow-same-origin` the app has an origin that nothing else has.
 */
const sandbox = 'sandbox allow-scripts allow-forms allow-modals allow-downloads';

const rules = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
];

/** Everything that a page could be allowed (https://www.w3.org/TR/permissions-policy/), switched off. */
const features = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

const permissions = features.map((feature) => `${feature}=()`).join(', ');

/**
 * The policy of a preview.
 * @param ancestors origins whose pages may show it in a frame
 * @param ownOrigin whether it has an origin of its own, which it may then use to store what is entered
 */
export function previewPolicy(ancestors: readonly string[], ownOrigin: boolean): string {
  const box = ownOrigin ? `${sandbox} allow-same-origin` : sandbox;
  return [box, ...rules, `frame-ancestors ${ancestors.join(' ')}`].join('; ');
}

export const previewHeaders: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': permissions,
};

/** The origins that pages of this server have: its address, and on a developer's machine that by its other name. */
export function ownOrigins(publicUrl: string): readonly string[] {
  const { hostname, port, protocol } = new URL(publicUrl);
  if (!/^(?:localhost|127\.0\.0\.1)$/.test(hostname)) return [publicUrl];
  const suffix = port === '' ? '' : `:${port}`;
  return ['127.0.0.1', 'localhost'].map((name) => `${protocol}//${name}${suffix}`);
}
