/**
 * Whether the server of this container lives: asks `/livez` on `PORT`, and ends with 1 where it does not say so. The
 * image's `HEALTHCHECK` runs it.
 */
const port = process.env['PORT'] || '8080';
// A server that listens on all addresses listens on this one too.
const given = process.env['HOST'];
const host =
  given === undefined || given === '' || given === '0.0.0.0' || given === '::' ? '127.0.0.1' : given;
const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/livez`;
try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(4000) });
  if (status !== 200) throw new Error(`it answered ${status}`);
} catch (error) {
  console.error(`${address}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
