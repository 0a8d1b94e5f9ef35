/** Ways in which an app could reach a foreign server, as the pages that try them. */
import { createSocket, type Socket } from 'node:dgram';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';

/** Ways that are seen at a port of their own, as they send no request that could carry a name. */
export const peerWays = [
  'webrtc',
  'webrtc_of_empty_frame',
  'webrtc_of_indexed_frame',
  'webrtc_in_srcdoc',
  'webrtc_in_static_srcdoc',
  'webrtc_in_shadow_frame',
  'webrtc_in_blob_frame',
  'webrtc_in_blob_page',
] as const;
type PeerWay = (typeof peerWays)[number];

/** What a person has to click on for it, where there is one. */
export const clicked = '#go';

/** The body of a page, and the ways that it tries. */
export interface Attempt {
  readonly body: string;
  readonly ways: readonly string[];
}

/** What the heading of the page of many ways says when it has come to its end. */
export const allTried = 'All tried';

/**
 * Pages that try every way: one each for those that end the page, one for all the others together. One that calls as a peer where
 * `Connection-Allowlist` forbids it ends it too: Chromium kills its process for a bad message (156: "No binder found for interface
 * network.mojom.MdnsResponder"), with whatever it was going to try next.
 */
export function attempts(stranger: Stranger): ReadonlyMap<string, Attempt> {
  const ending = {
    ...navigating(stranger),
    ...linking(stranger),
    ...speculating(stranger),
    ...peerNavigating(stranger),
    ...peers(stranger),
  };
  const staying = { ...holding(stranger), ...loading(stranger), ...hinting(stranger) };
  const found = new Map<string, Attempt>();
  for (const [way, body] of Object.entries(ending)) found.set(way, { body, ways: [way] });
  const end = script(`document.querySelector('h1').textContent = '${allTried}'`);
  found.set('together', { body: [...Object.values(staying), end].join('\n'), ways: Object.keys(staying) });
  return found;
}

type Ways = Readonly<Record<string, string>>;
/** Makes the markup of ways from the address that each should reach. */
type Makers = Readonly<Record<string, (there: string) => string>>;

const made = (stranger: Stranger, makers: Makers): Ways =>
  Object.fromEntries(Object.entries(makers).map(([way, make]) => [way, make(stranger.url(way))]));

// In a block, so that the scripts of one page can use the same names.
const script = (code: string) => `<script>{ ${code} }</script>`;
/** Text as a string in a script. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('</', '<\\/');
const blobPage = (code: string) =>
  `URL.createObjectURL(new Blob([${quoted(script(code))}], { type: 'text/html' }))`;
const blobScript = (code: string) => `URL.createObjectURL(new Blob([${quoted(code)}]))`;
const newFrame = "const i = document.createElement('iframe');";

/** The page goes there itself. */
const navigating = (stranger: Stranger) =>
  made(stranger, {
    location_href: (there) => script(`const l = location; l['hr' + 'ef'] = '${there}'`),
    location_assign: (there) => script(`window['loca' + 'tion'].assign('${there}')`),
    location_replace: (there) => script(`location.replace('${there}')`),
    location_of_document: (there) => script(`document.location = '${there}'`),
    navigation_api: (there) => script(`navigation.navigate('${there}')`),
    open_self: (there) => script(`open('${there}', '_self')`),
    javascript_address: (there) => script(`location = "javascript:location='${there}'"`),
    after_history: (there) => script(`history.pushState(1, '', '?x'); location.href = '${there}'`),
    meta_refresh: (there) => `<meta http-equiv="refresh" content="0;url=${there}">`,
    meta_refresh_inserted: (there) =>
      script(
        `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=${there}">')`,
      ),
    blob_page: (there) => script(`location = ${blobPage(`location='${there}'`)}`),
  });

const targets = ['_self', '_blank', '_top', '_parent', 'other'];
const link = (there: string, attributes: string) => `<a id="go" href="${there}" ${attributes}>Go there</a>`;
const pressed = (there: string, attributes: string) =>
  `<a id="link" href="${there}" ${attributes}>Go</a>${script("document.getElementById('link').click()")}`;

/** It leads people there, or other windows. */
const linking = (stranger: Stranger) =>
  made(stranger, {
    ...Object.fromEntries(
      targets.flatMap((target) => [
        [`link_${target}`, (there: string) => link(there, `target="${target}"`)],
        [`link_pressed_${target}`, (there: string) => pressed(there, `target="${target}"`)],
      ]),
    ),
    link_download: (there) => link(there, 'download="x"'),
    link_pressed_download: (there) => pressed(there, 'download="x"'),
    link_ping: (there) => `<a id="go" href="#x" ping="${there}">Go there</a>`,
    link_svg: (there) => `<svg><a id="go" href="${there}"><text y="20">Go there</text></a></svg>`,
    form_get: (there) =>
      `<form action="${there}" id="f"></form>${script("document.getElementById('f').submit()")}`,
    form_post: (there) => `<form action="${there}" method="post"><button id="go">Go</button></form>`,
    form_in_tab: (there) =>
      `<form><button id="go" formaction="${there}" formtarget="_blank">Go</button></form>`,
    popup: (there) => script(`open('${there}')`),
    top_location: (there) => script(`top.location = '${there}'`),
    parent_location: (there) => script(`parent.location = '${there}'`),
    parent_document: (there) =>
      script(
        `const a = parent.document.createElement('a'); a.href = '${there}'; parent.document.body.append(a); a.click()`,
      ),
  });

/** It holds there in itself. */
const holding = (stranger: Stranger) =>
  made(stranger, {
    frame: (there) => `<iframe src="${there}"></iframe>`,
    object: (there) => `<object data="${there}"></object>`,
    embed: (there) => `<embed src="${there}">`,
    frame_srcdoc_goes: (there) => `<iframe srcdoc="&lt;script>location='${there}'&lt;/script>"></iframe>`,
    frame_is_sent: (there) =>
      script(`${newFrame} document.body.append(i); i.contentWindow.location = '${there}'`),
    frame_blob: (there) =>
      script(`${newFrame} i.src = ${blobPage(`location='${there}'`)}; document.body.append(i)`),
  });

/** It loads from there or sends there. */
const loading = (stranger: Stranger) =>
  made(stranger, {
    fetch: (there) => script(`fetch('${there}')`),
    fetch_kept: (there) => script(`fetch('${there}', { keepalive: true, mode: 'no-cors' })`),
    request: (there) => script(`const r = new XMLHttpRequest(); r.open('GET', '${there}'); r.send()`),
    beacon: (there) => script(`navigator.sendBeacon('${there}', 'x')`),
    web_socket: (there) => script(`new WebSocket('${there.replace('http', 'ws')}')`),
    event_source: (there) => script(`new EventSource('${there}')`),
    worker: (there) => script(`new Worker(${blobScript(`fetch('${there}',{mode:'no-cors'})`)})`),
    shared_worker: (there) => script(`new SharedWorker(${blobScript(`fetch('${there}',{mode:'no-cors'})`)})`),
    import: (there) => script(`import('${there}')`),
    script: (there) => `<script src="${there}"></script>`,
    module: (there) => `<script type="module" src="${there}"></script>`,
    style: (there) => `<link rel="stylesheet" href="${there}">`,
    style_import: (there) => `<style>@import url('${there}');</style>`,
    style_url: (there) => `<p style="background: url('${there}')">x</p>`,
    font: (there) =>
      `<style>@font-face { font-family: a; src: url('${there}') } b { font-family: a }</style><b>x</b>`,
    image: (there) => `<img src="${there}" alt="">`,
    image_set: (there) => `<img srcset="${there} 1x" alt="">`,
    image_of_svg: (there) => `<svg><image href="${there}" width="9" height="9"/></svg>`,
    image_button: (there) => `<input type="image" src="${there}" alt="x">`,
    video: (there) => `<video src="${there}" autoplay muted></video>`,
    poster: (there) => `<video poster="${there}"></video>`,
    audio: (there) => `<audio src="${there}" preload="auto"></audio>`,
  });

const rules = (kind: string, there: string) =>
  `<script type="speculationrules">{"${kind}":[{"urls":["${there}"],"eagerness":"immediate"}]}</script>`;

/** The browser is told to be early. */
const hinting = (stranger: Stranger) =>
  made(stranger, {
    preload: (there) => `<link rel="preload" as="fetch" href="${there}">`,
    prefetch: (there) => `<link rel="prefetch" href="${there}">`,
    module_preload: (there) => `<link rel="modulepreload" href="${there}">`,
  });

/** The browser is told where a person may go next. */
const speculating = (stranger: Stranger) =>
  made(stranger, {
    speculation_prefetch: (there) => rules('prefetch', there),
    speculation_prerender: (there) => rules('prerender', there),
  });

/** Code that calls the stranger as a peer does, by STUN over UDP and by TURN over TCP. */
function calling(stranger: Stranger, way: PeerWay): string {
  const server = `127.0.0.1:${stranger.port(way)}`;
  return `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${server}' }, { urls: 'turn:${server}?transport=tcp', username: 'a', credential: 'b' }] });
c.createDataChannel('x'); c.createOffer().then((offer) => c.setLocalDescription(offer));`;
}

/** It calls there, with the constructor of its own window or of a fresh one. */
function peers(stranger: Stranger): Ways {
  const makers: Readonly<Partial<Record<PeerWay, (code: string) => string>>> = {
    webrtc: script,
    webrtc_of_empty_frame: (code) =>
      script(`${newFrame} document.body.append(i); const { RTCPeerConnection } = i.contentWindow; ${code}`),
    webrtc_of_indexed_frame: (code) =>
      script(
        `const at = window.length; document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); const { RTCPeerConnection } = window[at]; ${code}`,
      ),
    webrtc_in_srcdoc: (code) =>
      script(`${newFrame} i.srcdoc = ${quoted(script(code))}; document.body.append(i)`),
    webrtc_in_static_srcdoc: (code) => `<iframe srcdoc="${script(code).replaceAll('"', '&quot;')}"></iframe>`,
    webrtc_in_shadow_frame: (code) =>
      script(
        `${newFrame} i.srcdoc = ${quoted(script(code))}; const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'closed' }).append(i)`,
      ),
    webrtc_in_blob_frame: (code) => script(`${newFrame} i.src = ${blobPage(code)}; document.body.append(i)`),
  };
  return Object.fromEntries(
    Object.entries(makers).map(([way, make]) => [way, make(calling(stranger, way as PeerWay))]),
  );
}

const peerNavigating = (stranger: Stranger): Ways => ({
  webrtc_in_blob_page: script(`location = ${blobPage(calling(stranger, 'webrtc_in_blob_page'))}`),
});

/** A foreign server that writes down by what ways it was reached. */
export interface Stranger {
  /** Its address for a way: a request for it, whatever is behind the name, counts as reached. */
  url(way: string): string;
  /** A port of its own for a way, where any packet and any connection counts as reached. */
  port(way: string): number;
  readonly reached: Set<string>;
  close(): Promise<void>;
}

/** @param ways those that need a port of their own */
export async function openStranger(ways: readonly string[]): Promise<Stranger> {
  const reached = new Set<string>();
  const http = createHttp((request, response) => {
    reached.add(request.url?.split(/[/?]/)[1] ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' });
    response.end('hello');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const ports = new Map<string, { udp: Socket; tcp: Server }>();
  for (const way of ways) {
    const tcp = createTcp((socket) => {
      reached.add(way);
      socket.on('error', () => undefined);
      socket.destroy();
    });
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const udp = createSocket('udp4').on('message', () => reached.add(way));
    await new Promise<void>((resolve) => udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1', resolve));
    ports.set(way, { udp, tcp });
  }
  const { port } = http.address() as AddressInfo;
  return {
    url: (way) => `http://127.0.0.1:${port}/${way}`,
    port(way) {
      const found = ports.get(way);
      if (!found) throw new Error(`there is no port for ${way}`);
      return found.udp.address().port;
    },
    reached,
    async close() {
      http.closeAllConnections();
      http.close();
      for (const { udp, tcp } of ports.values()) {
        udp.close();
        tcp.close();
      }
    },
  };
}
